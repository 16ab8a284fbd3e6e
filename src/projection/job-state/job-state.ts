import { isJobFact, isPodFact, type JobFact, type JobObjectFact } from "../../job/model/fact.ts";
import { type CountingRules, countingRulesOf } from "../../job/accounting/counting-rules.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import {
  emptyJob,
  factsOf,
  factsOfJobObject,
  joinFacts,
  type JobObject,
  type JobRecord,
} from "../../job/model/job-record.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { bytesOfFacts, factsOfBytes } from "./fact-bytes.ts";
import { decodeRefs, encodeRefs, PageUnreadableError } from "../pages/page-ref.ts";
import type { PageTree } from "../pages/page-tree.ts";
import { decodeSegmentSet, encodeSegmentSet, noSegments, type SegmentSet } from "./segment-set.ts";
import { decodeTally, encodeTally } from "./tally-bytes.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** What a projection holds of one Job in its state item. */
export type JobState = InlineJob | LargeJob;

interface Held {
  readonly segments: SegmentSet;
  /** The latest instant of any fact of the Job that was folded, kept or not: as of when its summary is. */
  readonly seenAt: Instant;
}

/** Every Pod's record lies in the item. */
export interface InlineJob extends Held {
  readonly layout: "inline";
  readonly record: JobRecord;
}

/** The Pods lie in pages; the item has the top of their tree, and what the Pods came to, counted. */
export interface LargeJob extends Held {
  readonly layout: "large";
  readonly job: JobObject;
  readonly pods: PageTree;
  /** By {@link jobStateRules}. */
  readonly tally: PodTally;
}

/** How the Pods of a Job are counted, by what its own facts say; the server's release, which a reader may know, is no part of a projection. */
export function jobStateRules(job: JobObject, tally: Pick<PodTally, "tracked">): CountingRules {
  return countingRulesOf(job, { podTracked: tally.tracked > 0 });
}

/** Before every instant there is. */
export const EARLIEST_AT: Instant = -Number.MAX_SAFE_INTEGER;

const INLINE = 1;
const LARGE = 2;

export function emptyJobState(uid: JobUid): JobState {
  return { layout: "inline", record: emptyJob(uid), segments: noSegments, seenAt: EARLIEST_AT };
}

/** Equal states, equal bytes. The first byte says how to read the rest. */
export function encodeJobState(held: JobState): Uint8Array {
  const writer = new VarintWriter().unsigned(held.layout === "inline" ? INLINE : LARGE);
  writer.signed(held.seenAt).block(encodeSegmentSet(held.segments));
  switch (held.layout) {
    case "inline":
      return writer.block(bytesOfFacts(factsOf(held.record))).finish();
    case "large":
      return writer
        .block(bytesOfFacts(factsOfJobObject(held.job)))
        .unsigned(held.pods.level)
        .block(encodeRefs(held.pods.top))
        .block(encodeTally(held.tally))
        .finish();
  }
}

export function decodeJobState(uid: JobUid, bytes: Uint8Array): JobState {
  const reader = new VarintReader(bytes);
  const layout = reader.unsigned();
  if (layout !== INLINE && layout !== LARGE) {
    throw new PageUnreadableError(
      `The state of Job ${uid} begins with byte ${layout}; this version of Outlive reads ${INLINE} and ${LARGE}.`,
    );
  }
  const seenAt = reader.signed();
  const segments = decodeSegmentSet(reader.block());
  const record = joinFacts(emptyJob(uid), factsOfBytes(reader.block()).filter(isJobFact));
  if (layout === INLINE) return { layout: "inline", record, segments, seenAt };
  const pods = { level: reader.unsigned(), top: decodeRefs(reader.block()) };
  return { layout: "large", job: record.job, pods, tally: decodeTally(reader.block()), segments, seenAt };
}

/** A Job's facts by whom they are about: the Job object, or its Pods. */
export function splitFacts(facts: readonly JobFact[]) {
  const ofJob: JobObjectFact[] = [];
  const ofPods = facts.filter((fact) => {
    if (isPodFact(fact)) return true;
    ofJob.push(fact);
    return false;
  });
  return { ofJob, ofPods: ofPods.filter(isPodFact) };
}
