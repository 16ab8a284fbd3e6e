import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { Log, LogItem } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDayKey, ofCluster } from "../../ports/meta-key.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import type { Segment } from "../../segment/segment.ts";
import { dayOfKey, keyIn, sealedAtOf } from "../../segment/segment-key.ts";
import { floorAt, type LogPosition, segmentMark, startIn } from "./log-position.ts";

export interface FollowPorts {
  readonly log: Log;
  readonly meta: MetaStore;
}

/** A new segment of the log, and the reader's position after it. */
export interface FollowedSegment {
  readonly segment: Segment;
  readonly sk: string;
  /** It arrived late: segments with greater keys were returned before. */
  readonly isBehind: boolean;
  readonly position: LogPosition;
}

export interface FollowRange {
  readonly cluster: ClusterName;
  readonly from: LogPosition;
  readonly now: Instant;
}

/** Items per read. */
const PAGE = 50;
/** The most late segments per call. The next call returns further ones. */
const MAX_LATE = 50;

/**
 * The new segments of a cluster's log since a position: late ones first, then the others in the order of their keys.
 * The return value is the position after all of them. A caller that stops earlier continues from the position of its
 * last segment. Each segment is returned at least once, and rarely again.
 */
export async function* followLog(
  ports: FollowPorts,
  range: FollowRange,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const settled = range.now - SETTLED_AFTER_MS;
  const late = yield* lateSegments(ports, range, settled);
  return yield* freshSegments(ports, { ...range, from: late }, settled);
}

async function* lateSegments(
  { log, meta }: FollowPorts,
  { cluster, from }: FollowRange,
  settled: Instant,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const prefix = ofCluster(cluster);
  const after = `${prefix}${floorAt(from.lateUntil + 1)}`;
  const { records } = await meta.list("late", { prefix, after, limit: MAX_LATE });
  let position = from;
  for (const { key } of records) {
    const [arrived, ...rest] = key.slice(prefix.length).split("#");
    const arrivedAt = parseInstant(arrived) ?? 0;
    const sk = rest.join("#");
    // A concurrent writer may still add a marker with an earlier instant.
    if (arrivedAt > settled) return position;
    position = { ...position, lateUntil: arrivedAt };
    // Segments after the floor are read below anyway.
    if (sk > from.floor) continue;
    const item = await log.read(keyIn(cluster, sk));
    const segment = item && decoded(item);
    if (segment !== undefined) yield { segment, sk, isBehind: true, position };
  }
  return records.length < MAX_LATE ? { ...position, lateUntil: Math.max(position.lateUntil, settled) } : position;
}

async function* freshSegments(
  ports: FollowPorts,
  { cluster, from, now }: FollowRange,
  settled: Instant,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const given = new Set(from.given);
  let floor = from.floor;
  let beyond: readonly string[] = [];
  for await (const item of itemsAfter(ports, cluster, from.floor)) {
    const { sk } = item.key;
    const mark = segmentMark(sk);
    if (sealedAtOf(sk) <= settled) floor = sk;
    else beyond = [...beyond, mark];
    if (given.has(mark)) continue;
    const segment = decoded(item);
    // Until the end is reached, segments that were returned earlier remain listed.
    const position = { floor, given: [...new Set([...beyond, ...from.given])], lateUntil: from.lateUntil };
    if (segment !== undefined) yield { segment, sk, isBehind: isBehind(sk, from, given), position };
  }
  const horizon = floorAt(Math.min(settled, now));
  return { floor: horizon > floor ? horizon : floor, given: beyond, lateUntil: from.lateUntil };
}

/** Segments after the floor were returned before, so this one may have arrived between them. */
function isBehind(sk: string, { floor }: LogPosition, given: ReadonlySet<string>): boolean {
  return given.size > 0 && sk > floor;
}

async function* itemsAfter({ log, meta }: FollowPorts, cluster: ClusterName, floor: string): AsyncGenerator<LogItem> {
  for (const day of await daysFrom(meta, cluster, dayOfKey(floor))) {
    let after = startIn(cluster, day, floor);
    do {
      const page = await log.readDay({ cluster, day }, { ...(after && { after }), limit: PAGE });
      yield* page.items;
      after = page.next;
    } while (after !== undefined);
  }
}

/** The days with log items, starting with `first`. */
async function daysFrom(meta: MetaStore, cluster: ClusterName, first: string): Promise<readonly string[]> {
  const prefix = logDayKey(cluster, "");
  const days: string[] = [];
  // Keys are sorted by day, so reading starts just before `first`.
  const after = `${prefix}${String(Number(first) - 1)}`;
  for await (const { key } of listRecords(meta, "logDay", { prefix, after })) days.push(key.slice(prefix.length));
  return days.filter((day) => day >= first);
}

/** Skips a segment that cannot be decoded. The projection reports it. */
function decoded({ bytes }: LogItem): Segment | undefined {
  const result = decodeSegment(bytes);
  return result.outcome === "decoded" ? result.segment : undefined;
}
