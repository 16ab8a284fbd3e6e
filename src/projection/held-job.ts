import { isJobFact, isPodFact, type JobFact, type JobObjectFact } from "../job/fact.ts";
import type { JobUid } from "../job/ids.ts";
import { emptyJob, factsOf, factsOfJobObject, joinFacts, type JobObject, type JobRecord } from "../job/job-record.ts";
import { bytesOfFacts, factsOfBytes } from "./fact-bytes.ts";
import { decodeRefs, encodeRefs, PageUnreadableError } from "./page-ref.ts";
import type { PageTree } from "./page-tree.ts";
import { decodeSegmentSet, encodeSegmentSet, noSegments, type SegmentSet } from "./segment-set.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** What a projection holds of one Job in its state item. */
export type HeldJob = InlineJob | LargeJob;

/** Every Pod's record lies in the item. */
export interface InlineJob {
  readonly layout: "inline";
  readonly record: JobRecord;
  readonly segments: SegmentSet;
}

/** The Pods lie in pages; the item has the top of their tree, and what the Pods came to, counted. */
export interface LargeJob {
  readonly layout: "large";
  readonly job: JobObject;
  readonly pods: PageTree;
  readonly segments: SegmentSet;
}

const INLINE = 1;
const LARGE = 2;

export function heldNothing(uid: JobUid): HeldJob {
  return { layout: "inline", record: emptyJob(uid), segments: noSegments };
}

/** Equal states, equal bytes. The first byte says how to read the rest. */
export function encodeHeldJob(state: HeldJob): Uint8Array {
  const segments = encodeSegmentSet(state.segments);
  switch (state.layout) {
    case "inline":
      return new VarintWriter()
        .unsigned(INLINE)
        .block(segments)
        .block(bytesOfFacts(factsOf(state.record)))
        .finish();
    case "large":
      return new VarintWriter()
        .unsigned(LARGE)
        .block(segments)
        .block(bytesOfFacts(factsOfJobObject(state.job)))
        .unsigned(state.pods.level)
        .block(encodeRefs(state.pods.top))
        .finish();
  }
}

export function decodeHeldJob(uid: JobUid, bytes: Uint8Array): HeldJob {
  const reader = new VarintReader(bytes);
  const layout = reader.unsigned();
  if (layout !== INLINE && layout !== LARGE) {
    throw new PageUnreadableError(
      `The state of Job ${uid} begins with byte ${layout}; this version of Outlive reads ${INLINE} and ${LARGE}.`,
    );
  }
  const segments = decodeSegmentSet(reader.block());
  const record = joinFacts(emptyJob(uid), jobFacts(reader.block()));
  if (layout === INLINE) return { layout: "inline", record, segments };
  return {
    layout: "large",
    job: record.job,
    pods: { level: reader.unsigned(), top: decodeRefs(reader.block()) },
    segments,
  };
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

function jobFacts(bytes: Uint8Array): readonly JobFact[] {
  return factsOfBytes(bytes).filter(isJobFact);
}
