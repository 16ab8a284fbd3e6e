import * as v from "valibot";
import type { Coarseness } from "./coarseness.ts";
import type { Instant } from "../job/model/instant.ts";
import { recordCodec } from "../ports/records/record-codec.ts";

/** Kind `counts`: the sums of an hour or a day of a cluster (src/counts). */
export interface CountSum {
  /** The last round whose differences are in it. */
  readonly round: number;
  /** The table of counts (src/counts/table-text.ts). */
  readonly table: string;
  /** Of a day: which of its 24 hours are in it, as bits. */
  readonly hours?: number;
  /** What its cells no longer distinguish, because it would be too large (src/counts/coarseness.ts). */
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

/** The position in each shard of a stream: of the last write that is counted, or that the shard is closed and read. */
export type StreamPositions = Readonly<Record<string, string>>;
/** In place of a position. */
export const CLOSED = "closed";

/** Kind `position`, key `#counts#A` or `#counts#B`: how far the writes of a projection are counted. */
export interface CountPosition {
  readonly positions: StreamPositions;
  /** The last round that is in all sums. */
  readonly round: number;
  /** Every write that was made before this instant is counted. Absent until a release that states it has counted. */
  readonly countedTo?: Instant;
  /** A round that may be in some sums only: up to these positions, and what is counted once it is in all of them. */
  readonly pending?: StreamPositions;
  readonly pendingTo?: Instant;
  /** Until when a process changes sums. It may have been killed. */
  readonly heldUntil: Instant;
  /** Jobs that were created at or after this instant are counted. */
  readonly since: Instant;
  /** The hours before this instant are in the sums of their days, if their cluster had Jobs. */
  readonly rolledTo: Instant;
  /** Jobs that were created at or after this instant contribute to the metrics (src/metrics/sums). */
  readonly metricsSince?: Instant;
  /** Where the stream was read to when another projection began to answer, until the metrics continue with this one. */
  readonly takesOverFrom?: StreamPositions;
  /** The next hour to count again, and when that was last done. */
  readonly verify?: { readonly hour: Instant; readonly at: Instant };
}

const positions = v.record(v.string(), v.string());

export const countPosition = recordCodec<CountPosition>(
  "position",
  v.looseObject({
    positions,
    round: v.number(),
    countedTo: v.exactOptional(v.number()),
    pending: v.exactOptional(positions),
    pendingTo: v.exactOptional(v.number()),
    heldUntil: v.number(),
    since: v.number(),
    rolledTo: v.number(),
    metricsSince: v.exactOptional(v.number()),
    takesOverFrom: v.exactOptional(positions),
    verify: v.exactOptional(v.looseObject({ hour: v.number(), at: v.number() })),
  }),
);
