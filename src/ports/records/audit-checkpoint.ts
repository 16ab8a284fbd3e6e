import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/**
 * Kind `position`, key `CLUSTER#audit`: how far the audit has followed the log of a cluster
 * (src/query/changes/log-position.ts).
 */
export interface AuditCheckpoint {
  readonly floor: string;
  readonly given: readonly string[];
  readonly lateUntil: Instant;
  /** Every segment sealed up to here was compared. @default unknown, of an earlier release */
  readonly auditedUntil?: Instant;
}

export const auditCheckpoint = recordCodec<AuditCheckpoint>(
  "position",
  v.looseObject({
    floor: v.string(),
    given: v.array(v.string()),
    lateUntil: v.number(),
    auditedUntil: v.exactOptional(v.number()),
  }),
);

/** Kind `position`, key `#audit#SHARD`: how far the audit has compared the packs of a shard. */
export interface ShardAuditCheckpoint {
  /** The sort key of the last pack that was compared, or a prefix of it. */
  readonly after: string;
  /** Every segment that arrived up to here was compared. */
  readonly auditedUntil: Instant;
}

export const shardAuditCheckpoint = recordCodec<ShardAuditCheckpoint>(
  "position",
  v.looseObject({ after: v.string(), auditedUntil: v.number() }),
);
