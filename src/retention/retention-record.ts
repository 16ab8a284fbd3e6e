import * as v from "valibot";
import { recordCodec } from "../ports/records/record-codec.ts";

/** Kind `retention`: how long the Jobs of a namespace, or of a whole cluster, are kept after their end. */
export interface RetentionRecord {
  /** Absent if the rule was removed: the namespace follows its cluster again, or the cluster follows the setting. */
  readonly days?: number;
  readonly setAt: string;
}

export const retentionRecord = recordCodec<RetentionRecord>(
  "retention",
  v.looseObject({
    days: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
    setAt: v.string(),
  }),
);

/** Kind `hold`: a legal hold. Retention does not delete what it covers. */
export interface HoldRecord {
  readonly reason: string;
  readonly heldAt: string;
  /** Absent while the hold is in force. */
  readonly releasedAt?: string;
}

export const holdRecord = recordCodec<HoldRecord>(
  "hold",
  v.looseObject({ reason: v.string(), heldAt: v.string(), releasedAt: v.exactOptional(v.string()) }),
);
