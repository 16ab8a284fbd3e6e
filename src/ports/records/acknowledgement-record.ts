import { createHash } from "node:crypto";
import * as v from "valibot";
import { canonical } from "../../job/model/canonical.ts";
import type { Instant } from "../../job/model/instant.ts";
import { acknowledgementKey } from "../meta-key.ts";
import type { MetaRecord } from "../meta.ts";
import { InvalidRecordError, recordCodec } from "./record-codec.ts";

/** What an acknowledgement is about: an entry of the attention list. */
export interface AcknowledgedEntry {
  readonly cluster: string;
  readonly namespace: string;
  readonly id: string;
  readonly kind: string;
  readonly severity: string;
  readonly group?: { readonly type: string; readonly kind: string; readonly name: string; readonly uid?: string };
}

/** Who acknowledged the entry, with which note, and until when that holds. */
export interface Acknowledgement extends AcknowledgedEntry {
  readonly by: string;
  readonly at: Instant;
  readonly until: Instant;
  /** Absent from an acknowledgement that was withdrawn: `by` did that, at `at`. */
  readonly note?: string;
}

/** As it is stored. Nothing else states it, so its checksum tells whether it is still what was written. */
export type AcknowledgementRecord = Acknowledgement & { readonly sha256: string };

const text = v.string();
const instant = v.pipe(v.number(), v.safeInteger());

export const acknowledgementRecord = recordCodec<AcknowledgementRecord>(
  "acknowledgement",
  v.pipe(
    v.looseObject({
      cluster: text,
      namespace: text,
      id: text,
      kind: text,
      severity: text,
      group: v.exactOptional(v.looseObject({ type: text, kind: text, name: text, uid: v.exactOptional(text) })),
      by: text,
      at: instant,
      until: instant,
      note: v.exactOptional(text),
      sha256: text,
    }),
    v.check(({ sha256, ...content }) => sha256 === checksumOf(content), "its checksum is wrong"),
  ),
);

export function withChecksum(content: Acknowledgement): AcknowledgementRecord {
  return { ...content, sha256: checksumOf(content) };
}

function checksumOf(content: object): string {
  return createHash("sha256").update(canonical(content)).digest("hex");
}

/** The acknowledgement in a record; `undefined` if the record is damaged, or was stored under another key. */
export function soundAcknowledgement(record: MetaRecord): Acknowledgement | undefined {
  try {
    const { sha256: _, ...content } = acknowledgementRecord.decode(record);
    const { cluster, namespace, id } = content;
    return acknowledgementKey(cluster, namespace, id) === record.key ? content : undefined;
  } catch (cause) {
    if (cause instanceof InvalidRecordError) return undefined;
    throw cause;
  }
}
