import * as v from "valibot";
import { recordCodec } from "../records/record-codec.ts";

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
