import type { ClusterName } from "../../job/model/ids.ts";
import { formatMillis, utcDay } from "../../job/model/instant.ts";
import type { Log, LogItem, LogKey } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDays, readWholeDay } from "../../replay/read-log.ts";
import { dayPartition, keyIn, sealedAtOf } from "../../segment/segment-key.ts";
import { type ArchiveHour, HOUR_MILLIS, hourBegin, hourOf } from "../layout/archive-hour.ts";
import type { Arrivals } from "./arrivals.ts";

/** The log of one cluster, and when its segments arrived. */
export interface ClusterLog {
  readonly cluster: ClusterName;
  readonly arrivals: Arrivals;
}

/** The segments of a cluster that arrived in an hour, in order of key. */
export async function* hourSegments(
  log: Log,
  { cluster, arrivals }: ClusterLog,
  hour: ArchiveHour,
): AsyncGenerator<LogItem> {
  for (const sk of arrivals.sealedBefore(hour)) {
    const item = await log.read(keyIn(cluster, sk));
    if (item !== undefined) yield item;
  }
  const end = hourBegin(hour) + HOUR_MILLIS;
  for await (const items of readWholeDay(log, { cluster, day: utcDay(hourBegin(hour)) }, beforeHour(cluster, hour))) {
    for (const item of items) {
      if (sealedAtOf(item.key.sk) >= end) return;
      if (arrivals.hourOf(item.key.sk) === hour) yield item;
    }
  }
}

/** A key before every key of the hour, and after every key of the hours before. */
function beforeHour(cluster: ClusterName, hour: ArchiveHour): LogKey {
  const begin = hourBegin(hour);
  return { pk: dayPartition(cluster, utcDay(begin)), sk: formatMillis(begin) };
}

/** The clusters of the log. */
export async function loggedClusters(meta: MetaStore): Promise<readonly ClusterName[]> {
  const clusters = new Set<ClusterName>();
  for await (const { cluster } of logDays(meta)) clusters.add(cluster);
  return [...clusters];
}

/** The first hour in which a segment of the cluster arrived; `undefined` without segments. */
export async function firstHour(
  { log, meta }: { readonly log: Log; readonly meta: MetaStore },
  { cluster, arrivals }: ClusterLog,
): Promise<ArchiveHour | undefined> {
  const onTime = await firstOnTime({ log, meta }, { cluster, arrivals });
  const late = arrivals.firstLateHour;
  return onTime === undefined || late === undefined ? (onTime ?? late) : Math.min(onTime, late);
}

async function firstOnTime(
  { log, meta }: { readonly log: Log; readonly meta: MetaStore },
  { cluster, arrivals }: ClusterLog,
): Promise<ArchiveHour | undefined> {
  for await (const day of logDays(meta)) {
    if (day.cluster !== cluster) continue;
    for await (const items of readWholeDay(log, day)) {
      const first = items.find(({ key }) => arrivals.lateAt(key.sk) === undefined);
      if (first !== undefined) return hourOf(sealedAtOf(first.key.sk));
    }
  }
  return undefined;
}
