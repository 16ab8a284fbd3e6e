import * as v from "valibot";
import type { HoldSource } from "../../ports/expiry/holds.ts";
import { heldOf } from "../../ports/meta-key.ts";
import { listDecoded, recordCodec } from "../../ports/records/record-codec.ts";

/** Kind `hold`: a legal hold. What it covers is not deleted after its retention. */
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

/** Legal holds: what they cover is kept until a person releases them. */
export const legalHolds: HoldSource = {
  kind: "hold",
  read: async (meta) => {
    const inForce = [];
    for await (const { key, value } of listDecoded(meta, holdRecord, "")) {
      if (value.releasedAt === undefined) inForce.push({ held: heldOf(key), ...value });
    }
    return inForce;
  },
  isReleased: (record) => holdRecord.decode(record).releasedAt !== undefined,
};
