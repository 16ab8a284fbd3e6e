import { dayBegin, type Instant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { Log } from "../../ports/log.ts";
import { clusterIn } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import { type RemovedRecord, removedRecord } from "../../ports/records/removed-record.ts";
import { hourBegin } from "../../segment/pack-key.ts";
import { logHours } from "../../log/read-log.ts";
import type { LogBegin } from "./record-fold.ts";

/** DynamoDB deletes expired items up to two days late, and the record of an hour after the items of the hour. */
const EXPIRY_MILLIS = 3 * 86_400_000;

export interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}

/** Where the log of each cluster begins. If nothing was deleted from a log, it begins before every instant. */
export async function logBegins({ log, meta }: LogStores): Promise<(cluster: string) => LogBegin> {
  const removed = new Map<string, RemovedRecord>();
  for await (const { key, value } of listDecoded(meta, removedRecord, "")) removed.set(key, value);
  const expired = log.packs === undefined ? -Infinity : await firstExpiry(meta);
  return (cluster) => {
    const {
      logBefore = -Infinity,
      recordsBefore = -Infinity,
      hintsBefore = -Infinity,
    } = removed.get(`${cluster}#`) ?? {};
    const since = Math.max(logBefore, expired);
    return { since, gapsBefore: recordsBefore, hintsBefore: Math.max(recordsBefore, hintsBefore) };
  };
}

/** The earliest instant from which an expiring log is certain to be complete. */
async function firstExpiry(meta: MetaStore): Promise<Instant> {
  const begins: Instant[] = [];
  for await (const { hour } of logHours(meta)) {
    begins.push(hourBegin(hour) ?? 0);
    break;
  }
  for await (const { key } of listRecords(meta, "logDay", { prefix: "" })) {
    begins.push(dayBegin(key.slice(clusterIn(key).length + 1)) ?? 0);
  }
  return begins.length === 0 ? -Infinity : Math.min(...begins) + EXPIRY_MILLIS;
}
