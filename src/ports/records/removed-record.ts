import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/**
 * Kind `removed`, by a cluster and a namespace: what retention has deleted. It is kept when the rule changes, because a
 * rebuild must not bring back Jobs that a shorter rule has deleted. A record without a namespace is about the cluster.
 */
export interface RemovedRecord {
  /** Jobs that ended before this instant were deleted, unless a legal hold or the archive kept them. */
  readonly endedBefore?: Instant;
  /**
   * The shortest retention that was applied. A hold that was set later than this after a Job's end cannot protect the
   * Job.
   */
  readonly days?: number;
  /** For a cluster: gaps and hints from before this instant were deleted. */
  readonly recordsBefore?: Instant;
  /** For a cluster whose gaps are kept for answers from the archive: hints from before this instant were deleted. */
  readonly hintsBefore?: Instant;
  /** For a cluster: the log before this instant was deleted. */
  readonly logBefore?: Instant;
}

const instant = v.exactOptional(v.number());

export const removedRecord = recordCodec<RemovedRecord>(
  "removed",
  v.looseObject({
    endedBefore: instant,
    days: instant,
    recordsBefore: instant,
    hintsBefore: instant,
    logBefore: instant,
  }),
);
