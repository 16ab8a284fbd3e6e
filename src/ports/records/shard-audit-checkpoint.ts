import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

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
