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

/** The stored record of one Job in a projection. */
export type JobState = InlineJob | LargeJob;

interface AppliedSegments {
  readonly segments: SegmentSet;
  /** The latest instant of any fact that was applied, even if it changed nothing. The summary is as of this instant. */
  readonly seenAt: Instant;
}

/** All Pod records are stored in the item. */
export interface InlineJob extends AppliedSegments {
  readonly layout: "inline";
  readonly record: JobRecord;
}

/** The Pods are stored in pages. The item contains the top of their tree and their tally. */
export interface LargeJob extends AppliedSegments {
  readonly layout: "large";
  readonly job: JobObject;
  readonly pods: PageTree;
  /** By {@link jobStateRules}. */
  readonly tally: PodTally;
}

/** The Job itself, in either layout. */
export function jobObjectOf(state: JobState): JobObject {
  return state.layout === "inline" ? state.record.job : state.job;
}

/**
 * The counting rules that follow from the Job's own facts. They do not use the server's release, which is not stored
 * here.
 */
export function jobStateRules(job: JobObject, tally: Pick<PodTally, "tracked">): CountingRules {
  return countingRulesOf(job, { podTracked: tally.tracked > 0 });
}

/** Before every other instant. */
export const EARLIEST_AT: Instant = -Number.MAX_SAFE_INTEGER;

const INLINE = 1;
const LARGE = 2;

export function emptyJobState(uid: JobUid): JobState {
  return { layout: "inline", record: emptyJob(uid), segments: noSegments, seenAt: EARLIEST_AT };
}

/** Equal states give equal bytes. The first byte names the layout. */
export function encodeJobState(state: JobState): Uint8Array {
  const writer = new VarintWriter().unsigned(state.layout === "inline" ? INLINE : LARGE);
  writer.signed(state.seenAt).block(encodeSegmentSet(state.segments));
  switch (state.layout) {
    case "inline":
      return writer.block(bytesOfFacts(factsOf(state.record))).finish();
    case "large":
      return writer
        .block(bytesOfFacts(factsOfJobObject(state.job)))
        .unsigned(state.pods.level)
        .block(encodeRefs(state.pods.top))
        .block(encodeTally(state.tally))
        .finish();
  }
}

export function decodeJobState(uid: JobUid, bytes: Uint8Array): JobState {
  const reader = new VarintReader(bytes);
  const layout = reader.unsigned();
  if (layout !== INLINE && layout !== LARGE) {
    throw new PageUnreadableError(
      `The state of Job ${uid} has format ${layout}, and this version of Outlive reads ${INLINE} and ${LARGE}.`,
    );
  }
  const seenAt = reader.signed();
  const segments = decodeSegmentSet(reader.block());
  const record = joinFacts(emptyJob(uid), factsOfBytes(reader.block()).filter(isJobFact));
  if (layout === INLINE) return { layout: "inline", record, segments, seenAt };
  const pods = { level: reader.unsigned(), top: decodeRefs(reader.block()) };
  return { layout: "large", job: record.job, pods, tally: decodeTally(reader.block()), segments, seenAt };
}

/**
 * Whether two encoded states are equal. An earlier release compressed the same facts to other bytes. A damaged state
 * equals none.
 */
export function areSameState(a: Uint8Array, b: Uint8Array): boolean {
  if (Buffer.compare(a, b) === 0) return true;
  try {
    return Buffer.compare(recoded(a), recoded(b)) === 0;
  } catch (cause) {
    if (cause instanceof PageUnreadableError || cause instanceof RangeError) return false;
    throw cause;
  }
}

/** The state with its facts as this release compresses them, and everything else as it is. */
function recoded(bytes: Uint8Array): Uint8Array {
  const reader = new VarintReader(bytes);
  const writer = new VarintWriter().unsigned(reader.unsigned()).signed(reader.signed()).block(reader.block());
  return Buffer.concat([writer.block(bytesOfFacts(factsOfBytes(reader.block()))).finish(), reader.rest()]);
}

/** Whether the Pods of an encoded state are in pages. */
export function isLargeState(bytes: Uint8Array): boolean {
  return bytes[0] === LARGE;
}

/** Separates facts about the Job object from facts about its Pods. */
export function splitFacts(facts: readonly JobFact[]) {
  const ofJob: JobObjectFact[] = [];
  const ofPods = facts.filter((fact) => {
    if (isPodFact(fact)) return true;
    ofJob.push(fact);
    return false;
  });
  return { ofJob, ofPods: ofPods.filter(isPodFact) };
}
