import type { Instant } from "../../job/model/instant.ts";
import type { JobRow, EncodedJobState, StoredJob } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { LONG_LIVED_MS, type WideClass } from "../../ports/wide-lists.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "../attribute.ts";
import { decodeCreated, encodeCreated } from "./created-key.ts";
import type { ItemKey } from "../dynamo-table.ts";
import { expiryOf } from "../expiry.ts";
import { attentionPk, listPk, namePk, readNameKey, widePk } from "./list-partition.ts";

/** The attributes of a state without its row. */
export const STATE_ATTRIBUTES = ["state", "version"] as const;
/** The attributes of a state item that a list reads. */
export const ROW_ATTRIBUTES = [
  "pk",
  "namePk",
  "attentionPk",
  "widePk",
  "createdSk",
  "endedAt",
  "summary",
  "ttl",
] as const;

/** The partition of the state of a Job and of its pages. The name of a cluster cannot contain `#`. */
export function jobPartition({ cluster, jobUid }: JobKey): string {
  return `${cluster}#${jobUid}`;
}

/** The uid of the Job of a partition. */
export function jobOfPartition(pk: string): string {
  return pk.slice(pk.indexOf("#") + 1);
}

export function stateKey(key: JobKey): ItemKey {
  return { pk: jobPartition(key), sk: "S" };
}

export function pageKey(key: JobKey, hash: string): ItemKey {
  return { pk: jobPartition(key), sk: `P#${hash}` };
}

/** A state as an item. A Job with one Pod takes about 800 bytes, so that a write costs one write unit. */
export function fromJobState(
  key: JobKey,
  { bytes: state, row }: EncodedJobState,
  { version, ...written }: RowWrite & { readonly version: number },
): Item {
  const { pk, sk } = stateKey(key);
  const item = { pk: text(pk), sk: text(sk), version: number(version), state: bytes(state) };
  return row === undefined ? item : { ...item, ...fromRow(key, row, written) };
}

/** When a row is written, and for how many days it is kept after the Job's end. */
interface RowWrite {
  readonly now: Instant;
  readonly retentionDays: number;
}

function fromRow({ cluster, jobUid }: JobKey, row: JobRow, { now, retentionDays }: RowWrite): Item {
  const { namespace, name, createdAt, phase, attention, endedAt, summary } = row;
  return {
    listPk: text(listPk({ cluster, namespace }, jobUid)),
    widePk: text(widePk(classOf(row, now), jobUid)),
    namePk: text(namePk({ cluster, namespace, name })),
    createdSk: text(encodeCreated({ createdAt, jobUid })),
    summary: bytes(summary),
    ...(attention && { attentionPk: text(attentionPk(cluster, jobUid)) }),
    ...(endedAt !== undefined && { endedAt: number(endedAt) }),
    // A live Job does not expire, however old it is.
    ...(phase === "F" && { ttl: number(jobExpiry(endedAt ?? createdAt, { now, retentionDays })) }),
  };
}

/** The archive reads the state of a Job within so many days after its last fact. */
const UNTIL_ARCHIVED_DAYS = 2;

/** A Job may have ended years before its first fact arrived: a cluster keeps Jobs that nothing deletes. */
function jobExpiry(endedAt: Instant, { now, retentionDays }: RowWrite): number {
  return Math.max(expiryOf(endedAt, retentionDays), expiryOf(now, UNTIL_ARCHIVED_DAYS));
}

/** The class of a row in the wide lists. A finished Job rests where it is listed. */
function classOf({ phase, attention, createdAt, measures }: JobRow, now: Instant): WideClass {
  const isTroubled = attention || measures?.state === "Failed";
  const isLongLived = phase === "A" && now - createdAt > LONG_LIVED_MS;
  if (isLongLived) return isTroubled ? "B" : "A";
  return isTroubled ? "T" : "O";
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
    ...readNameKey(textOf(item, "namePk")),
    createdAt: decodeCreated(textOf(item, "createdSk")).createdAt,
    // Only the state of a finished Job expires.
    phase: item["ttl"] === undefined ? "A" : "F",
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
