import type { ClusterName } from "../../job/model/ids.ts";
import { formatMillis, utcDay } from "../../job/model/instant.ts";
import type { Log, LogItem, LogKey } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDays, readWholeDay } from "../../log/read-log.ts";
import { dayPartition, keyIn, sealedAtOf } from "../../segment/segment-key.ts";
import { type ArchiveHour, HOUR_MILLIS, hourBegin, hourOf } from "../layout/archive-hour.ts";
import { Arrivals, readArrivals } from "./arrivals.ts";
import { type ArrivedSegment, firstPackedHour, packedSegments } from "./packed-hour.ts";

/** The log of one cluster, and when its segments arrived. */
export interface ClusterLog {
  readonly cluster: ClusterName;
  readonly arrivals: Arrivals;
}

/** Segments that are read together, in an order that follows from the log. They can be read again. */
export type SegmentSource = () => AsyncIterable<ArrivedSegment>;

interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}

/**
 * Every segment that arrived in an hour: first the segments of each cluster that are items of their own, then packs.
 */
export function hourSources(
  { log, meta }: LogStores,
  clusters: readonly ClusterLog[],
  hour: ArchiveHour,
): readonly SegmentSource[] {
  const own = clusters.map((cluster) => () => ownSegments(log, cluster, hour));
  return log.packs === undefined ? own : [...own, () => packedSegments({ log, meta }, hour)];
}

async function* ownSegments(log: Log, cluster: ClusterLog, hour: ArchiveHour): AsyncGenerator<ArrivedSegment> {
  for await (const item of hourSegments(log, cluster, hour)) {
    const lateAt = cluster.arrivals.lateAt(item.key.sk);
    yield { cluster: cluster.cluster, item, ...(lateAt !== undefined && { lateAt }) };
  }
}

/** The segments of a cluster that arrived in an hour and are items of their own, in order of key. */
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

/** The log of every cluster. */
export async function clusterLogs(meta: MetaStore): Promise<readonly ClusterLog[]> {
  const logs: ClusterLog[] = [];
  for (const cluster of await loggedClusters(meta)) {
    logs.push({ cluster, arrivals: await readArrivals(meta, cluster) });
  }
  return logs;
}

/** The hour in which a segment arrived. Segments of a cluster that is not among `clusters` are in packs. */
export function arrivalHours(clusters: readonly ClusterLog[]): (cluster: ClusterName, key: LogKey) => ArchiveHour {
  const arrivals = new Map(clusters.map((log) => [log.cluster, log.arrivals]));
  const inTime = new Arrivals(new Map());
  return (cluster, { sk, pack }) =>
    pack === undefined ? (arrivals.get(cluster) ?? inTime).hourOf(sk) : hourOf(pack.arrivedAt);
}

/** The first hour in which a segment arrived; `undefined` without segments. */
export async function firstHour(stores: LogStores, clusters: readonly ClusterLog[]): Promise<ArchiveHour | undefined> {
  const hours = [await firstPackedHour(stores.meta)];
  for (const cluster of clusters) hours.push(await firstHourOf(stores, cluster));
  const first = Math.min(...hours.filter((hour) => hour !== undefined));
  return Number.isFinite(first) ? first : undefined;
}

/** The same for segments that are items of their own, not in packs. */
async function firstHourOf(stores: LogStores, { cluster, arrivals }: ClusterLog): Promise<ArchiveHour | undefined> {
  const onTime = await firstOnTime(stores, { cluster, arrivals });
  const late = arrivals.firstLateHour;
  return onTime === undefined || late === undefined ? (onTime ?? late) : Math.min(onTime, late);
}

async function firstOnTime(
  { log, meta }: LogStores,
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
