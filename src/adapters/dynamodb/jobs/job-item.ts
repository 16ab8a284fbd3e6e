import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { decodeClusterName, decodeJobUid } from "../../../job/model/ids.ts";
import type { Instant } from "../../../job/model/instant.ts";
import type { JobRow, EncodedJobState, StoredJob } from "../../../ports/job-row.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import { LONG_LIVED_MS, type WideClass } from "../../../ports/wide-lists.ts";
import { type JobRetention, stateExpiry } from "../../../ports/expiry/job-expiry.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "../attribute.ts";
import { decodeCreated, encodeCreated } from "./created-key.ts";
import type { ItemKey } from "../dynamo-table.ts";
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

/** The inverse of {@link stateKey}, of its `pk`: the name of a cluster has no `#`. */
export function keyOfState(pk: string): JobKey | undefined {
  const at = pk.indexOf("#");
  const cluster = decodeClusterName(pk.slice(0, Math.max(0, at)));
  const jobUid = decodeJobUid(pk.slice(at + 1));
  return cluster !== undefined && jobUid !== undefined ? { cluster, jobUid } : undefined;
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

/** The time of the write, and how long a row is kept after the Job's end. */
interface RowWrite {
  readonly now: Instant;
  readonly retention: JobRetention;
  /** A record of the wide lists has the Job while it is in class `O`. @default it has an index entry in each class */
  readonly isRecorded?: boolean;
}

function fromRow({ cluster, jobUid }: JobKey, row: JobRow, { now, retention, isRecorded = false }: RowWrite): Item {
  const { namespace, name, createdAt, phase, attention, endedAt = createdAt, summary, externalId, jobNames } = row;
  const wideClass = classOf(row, now);
  return {
    listPk: text(listPk({ cluster, namespace }, jobUid)),
    ...(!(isRecorded && wideClass === "O") && { widePk: text(widePk(wideClass, jobUid)) }),
    namePk: text(namePk({ cluster, namespace, name })),
    createdSk: text(encodeCreated({ createdAt, jobUid })),
    summary: bytes(summary),
    ...(attention && { attentionPk: text(attentionPk(cluster, jobUid)) }),
    ...(row.endedAt !== undefined && { endedAt: number(endedAt) }),
    ...(externalId !== undefined && { externalPk: text(externalId) }),
    // A live Job does not expire, however old it is.
    ...(phase === "F" && {
      ttl: timeToLive(stateExpiry({ cluster, namespace, name, endedAt, jobNames }, retention, now)),
    }),
  };
}

/** The time to live of an item, in seconds since 1970. DynamoDB deletes it within days, free of charge. */
export function timeToLive(expiresAt: Instant): AttributeValue {
  return number(expiresAt / 1_000);
}

/** The inverse of {@link timeToLive}. */
export function expiresAtOf(item: Item): Instant | undefined {
  return item["ttl"] === undefined ? undefined : numberOf(item, "ttl") * 1_000;
}

/** The class of a row in the wide lists. A finished Job keeps the class in which it is listed. */
function classOf({ phase, attention, createdAt, measures }: JobRow, now: Instant): WideClass {
  const isTroubled = attention || measures?.state === "Failed";
  const isLongLived = phase === "A" && now - createdAt > LONG_LIVED_MS;
  if (isLongLived) return isTroubled ? "B" : "A";
  return isTroubled ? "T" : "O";
}

export function toStoredJob(item: Item): StoredJob {
  const stored = toState(item);
  const row = toRow(item);
  if (row === undefined) return stored;
  return { ...stored, row, ...(item["widePk"] === undefined && { recordedAt: row.createdAt }) };
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

export function fromPage(key: ItemKey, page: Uint8Array, expiresAt: Instant): Item {
  return { pk: text(key.pk), sk: text(key.sk), page: bytes(page), ttl: timeToLive(expiresAt) };
}

export function toPage(item: Item): Uint8Array {
  return bytesOf(item, "page");
}
