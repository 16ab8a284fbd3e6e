import type { JobKey, JobRow, EncodedJobState, StoredJob } from "../../ports/jobs.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "../attribute.ts";
import { decodeCreated, encodeCreated } from "./created-key.ts";
import type { ItemKey } from "../dynamo-table.ts";
import { expiryOf } from "../expiry.ts";
import { attentionPk, listPk, namePk, readKeys } from "./list-partition.ts";

/** The attributes of a state without its row. */
export const STATE_ATTRIBUTES = ["state", "version"] as const;
/** The attributes of a state item that a list reads. */
export const ROW_ATTRIBUTES = ["pk", "listPk", "namePk", "attentionPk", "createdSk", "endedAt", "summary"] as const;

export function stateKey({ cluster, jobUid }: JobKey): ItemKey {
  return { pk: `${cluster}#${jobUid}`, sk: "S" };
}

export function pageKey({ cluster, jobUid }: JobKey, hash: string): ItemKey {
  return { pk: `${cluster}#${jobUid}`, sk: `P#${hash}` };
}

/** A state as an item. A Job with one Pod takes about 800 bytes, so that a write costs one write unit. */
export function fromJobState(
  key: JobKey,
  { bytes: state, row }: EncodedJobState,
  { version, retentionDays }: { readonly version: number; readonly retentionDays: number },
): Item {
  const { pk, sk } = stateKey(key);
  const item = { pk: text(pk), sk: text(sk), version: number(version), state: bytes(state) };
  return row === undefined ? item : { ...item, ...fromRow(key, row, retentionDays) };
}

function fromRow({ cluster, jobUid }: JobKey, row: JobRow, retentionDays: number): Item {
  const { namespace, name, createdAt, phase, attention, endedAt, summary } = row;
  return {
    listPk: text(listPk({ cluster, namespace, phase }, jobUid)),
    namePk: text(namePk({ cluster, namespace, name })),
    createdSk: text(encodeCreated({ createdAt, jobUid })),
    summary: bytes(summary),
    ...(attention && { attentionPk: text(attentionPk(cluster, jobUid)) }),
    ...(endedAt !== undefined && { endedAt: number(endedAt) }),
    // A live Job does not expire, however old it is.
    ...(phase === "F" && { ttl: number(expiryOf(endedAt ?? createdAt, retentionDays)) }),
  };
}

export function toStoredJob(item: Item): StoredJob {
  const stored = toState(item);
  const row = toRow(item);
  return row === undefined ? stored : { ...stored, row };
}

export function toState(item: Item): Pick<StoredJob, "bytes" | "version"> {
  return { bytes: bytesOf(item, "state"), version: numberOf(item, "version") };
}

export function toRow(item: Item): JobRow | undefined {
  if (item["createdSk"] === undefined) return undefined;
  return {
    ...readKeys(textOf(item, "listPk"), textOf(item, "namePk")),
    createdAt: decodeCreated(textOf(item, "createdSk")).createdAt,
    attention: item["attentionPk"] !== undefined,
    ...(item["endedAt"] !== undefined && { endedAt: numberOf(item, "endedAt") }),
    summary: bytesOf(item, "summary"),
  };
}

/**
 * A page as an item. It is written while its Job is live and not touched afterwards, so it is kept for twice the
 * retention after its last write. A Job that lives as long as the retention therefore keeps its oldest Pods for the
 * whole retention after its end.
 */
export function fromPage(
  key: ItemKey,
  page: Uint8Array,
  { now, retentionDays }: { readonly now: number; readonly retentionDays: number },
): Item {
  return {
    pk: text(key.pk),
    sk: text(key.sk),
    page: bytes(page),
    ttl: number(expiryOf(now, 2 * retentionDays)),
  };
}

export function toPage(item: Item): Uint8Array {
  return bytesOf(item, "page");
}
