import * as v from "valibot";
import type { Coarseness } from "./coarseness.ts";
import type { Instant } from "../job/model/instant.ts";
import { recordCodec } from "../ports/records/record-codec.ts";

/** Kind `counts`: the sums of an hour or a day of a cluster (src/count). */
export interface CountSum {
  /** The last round whose differences are in it. */
  readonly round: number;
  /** The table of counts (src/count/table-text.ts). */
  readonly table: string;
  /** Only for the sum of a day: which of its 24 hours it contains, as bits. */
  readonly hours?: number;
  /** What its cells no longer distinguish, because it would be too large (src/count/coarseness.ts). */
  readonly coarse?: Coarseness;
}

export const countSum = recordCodec<CountSum>(
  "counts",
  v.looseObject({
    round: v.number(),
    table: v.string(),
    hours: v.exactOptional(v.number()),
    coarse: v.exactOptional(v.picklist([0, 1, 2])),
  }),
);

/**
 * The position in each shard of a stream: that of the last counted write, or {@link CLOSED} if all its writes are
 * counted.
 */
export type StreamPositions = Readonly<Record<string, string>>;
/** Replaces the position of a shard whose writes are all counted. */
export const CLOSED = "closed";

/** Kind `position`, key `#counts#A` or `#counts#B`: how far the writes of a projection are counted. */
export interface CountPosition {
  /** The last round that is in all sums. */
  readonly round: number;
  /** The number of the last round that was begun. It may have been stopped before it changed a sum. */
  readonly attempt?: number;
  /** A round that may be in some sums only: of the batches that the shards name (src/count/counted-shard.ts). */
  readonly applying?: number;
  /** Whether the metrics continue with this projection: `due` as a part of the round, or `done`. */
  readonly takeOver?: "due" | "done";
  /** When the last counted writes were made: the earliest such instant of the shards that had writes. */
  readonly countedTo?: Instant;
  /** Every write of a shard without writes since this instant is in all sums. */
  readonly activeFrom?: Instant;
  /** Until when a process changes sums. It may have been killed. */
  readonly heldUntil: Instant;
  /** Jobs that were created at or after this instant are counted. */
  readonly since: Instant;
  /** The hours before this instant are in the sums of their days, if their cluster had Jobs. */
  readonly rolledTo: Instant;
  /** Jobs that were created at or after this instant contribute to the metrics (src/count/metrics/sums). */
  readonly metricsSince?: Instant;
  /** The next hour to count again, and when that was last done. */
  readonly verify?: { readonly hour: Instant; readonly at: Instant };
  /**
   * The stream positions up to which a release counted that read the stream itself. A stream keeps its writes for 24
   * hours.
   */
  readonly earlier?: { readonly positions: StreamPositions; readonly until: Instant };
  /** Only in records of a release that reads the stream itself. */
  readonly positions?: StreamPositions;
  readonly pending?: StreamPositions;
}

const positions = v.record(v.string(), v.string());

export const countPosition = recordCodec<CountPosition>(
  "position",
  v.looseObject({
    round: v.number(),
    attempt: v.exactOptional(v.number()),
    applying: v.exactOptional(v.number()),
    takeOver: v.exactOptional(v.picklist(["due", "done"])),
    countedTo: v.exactOptional(v.number()),
    activeFrom: v.exactOptional(v.number()),
    heldUntil: v.number(),
    since: v.number(),
    rolledTo: v.number(),
    metricsSince: v.exactOptional(v.number()),
    verify: v.exactOptional(v.looseObject({ hour: v.number(), at: v.number() })),
    earlier: v.exactOptional(v.looseObject({ positions, until: v.number() })),
    positions: v.exactOptional(positions),
    pending: v.exactOptional(positions),
  }),
);
