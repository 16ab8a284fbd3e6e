import * as v from "valibot";
import { recordCodec } from "./record-codec.ts";

/**
 * Kind `position`, key `#archiveVerified`: the last link of the archive that was read back and verified, with
 * everything before it. Only then may its hour be deleted from the log.
 */
export interface ArchiveVerifiedRecord {
  readonly kind: "hour" | "day";
  /** The begin of the hour, in milliseconds since 1970; of a compaction, of the last hour of its day. */
  readonly beginAt: number;
  /** SHA-256 of the manifest. */
  readonly sha256: string;
}

export const archiveVerifiedRecord = recordCodec<ArchiveVerifiedRecord>(
  "position",
  v.looseObject({ kind: v.picklist(["hour", "day"]), beginAt: v.number(), sha256: v.string() }),
);
