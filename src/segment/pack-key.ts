import { formatMillis, type Instant, parseInstant } from "../job/model/instant.ts";

/** An hour of a shard of the log. */
interface ShardHour {
  readonly shard: number;
  readonly hour: string;
}

/** The most shards. A reader of the log queries each of them. */
export const MAX_SHARDS = 64;

/** The UTC hour of an instant as keys contain it: `yyyymmddhh`. */
export function utcHour(instant: Instant): string {
  return formatMillis(instant).slice(0, 13).replaceAll(/[-T]/g, "");
}

/** The first instant of a UTC hour: the inverse of {@link utcHour}; `undefined` if `hour` is not valid. */
export function hourBegin(hour: string): Instant | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(hour);
  const begin = match === null ? undefined : parseInstant(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:00:00Z`);
  return begin !== undefined && utcHour(begin) === hour ? begin : undefined;
}

/** The partition of a shard's packs of one UTC hour. It has two more digits than a day of a cluster. */
export function hourPartition({ shard, hour }: ShardHour): string {
  return `${shard}#${hour}`;
}

/** The inverse of {@link hourPartition}; `undefined` where `partition` is not one. */
export function decodeHourPartition(partition: string): ShardHour | undefined {
  const match = /^(\d{1,2})#(\d{10})$/.exec(partition);
  if (match === null) return undefined;
  const [shard, hour] = [Number(match[1]), match[2] ?? ""];
  return shard < MAX_SHARDS && hourBegin(hour) !== undefined ? { shard, hour } : undefined;
}

/** The sort key of a pack. Packs sort by arrival, and those of one millisecond by name. */
export function packSortKey(arrivedAt: Instant, name: string): string {
  return `${formatMillis(arrivedAt)}#${name}`;
}

/** When a pack arrived, from its sort key; 1970 if the key has no instant. */
export function packArrivedAt(sk: string): Instant {
  return parseInstant(sk.split("#", 1)[0]) ?? 0;
}
