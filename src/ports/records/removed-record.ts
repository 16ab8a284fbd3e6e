import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/**
 * Kind `removed`, by a cluster and a namespace: what retention has deleted. It outlives the rule, because a rebuild
 * must not bring back Jobs that a shorter rule has deleted. The record without a namespace is about the cluster.
 */
export interface RemovedRecord {
  /** Jobs that ended before this instant were deleted, unless a legal hold or the archive kept them. */
  readonly endedBefore?: Instant;
  /** The shortest retention that was applied: a hold that was set so long after a Job's end came too late. */
  readonly days?: number;
  /** Of a cluster: gaps and hints from before this instant were deleted. */
  readonly recordsBefore?: Instant;
  /** Of a cluster: the log before this instant was deleted. */
  readonly logBefore?: Instant;
}

const instant = v.exactOptional(v.number());

export const removedRecord = recordCodec<RemovedRecord>(
  "removed",
  v.looseObject({ endedBefore: instant, days: instant, recordsBefore: instant, logBefore: instant }),
);
