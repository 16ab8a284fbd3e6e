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

/** A segment of the log that the reader was not given before, and where the reader stands behind it. */
export interface FollowedSegment {
  readonly segment: Segment;
  readonly sk: string;
  /** It came behind the reader's back: segments with greater keys were given before. */
  readonly isBehind: boolean;
  readonly position: LogPosition;
}

export interface FollowRange {
  readonly cluster: ClusterName;
  readonly from: LogPosition;
  readonly now: Instant;
}

/** Items asked for at once. */
const PAGE = 50;
/** More late arrivals than this come with the next look. */
const MAX_LATE = 50;

/**
 * What came to a cluster's log since a position: late arrivals, then the log in the order of its keys. Returns the position at which everything there is
 * was given; who stops earlier goes on from the position of the last segment it took. Each segment is given at least once, and again only where a
 * delivery broke off in the middle of being written down.
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
    // Whoever writes at the same time may have taken an earlier instant for its key.
    if (arrivedAt > settled) return position;
    position = { ...position, lateUntil: arrivedAt };
    // What lies beyond the floor is met on the way.
    if (sk > from.floor) continue;
    const item = await log.read(keyIn(cluster, sk));
    const segment = item && opened(item);
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
    const segment = opened(item);
    // Until the end is reached, what was given further on is still beyond.
    const position = { floor, given: [...new Set([...beyond, ...from.given])], lateUntil: from.lateUntil };
    if (segment !== undefined) yield { segment, sk, isBehind: isBehind(sk, from, given), position };
  }
  const horizon = floorAt(Math.min(settled, now));
  return { floor: horizon > floor ? horizon : floor, given: beyond, lateUntil: from.lateUntil };
}

/** Beyond the floor, something was given already: what comes now may have come in between. */
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

/** Days the log has items of, from `first` on. */
async function daysFrom(meta: MetaStore, cluster: ClusterName, first: string): Promise<readonly string[]> {
  const prefix = logDayKey(cluster, "");
  const days: string[] = [];
  // Keys sort by day: what is before `first` is passed over by beginning just before it.
  const after = `${prefix}${String(Number(first) - 1)}`;
  for await (const { key } of listRecords(meta, "logDay", prefix, after)) days.push(key.slice(prefix.length));
  return days.filter((day) => day >= first);
}

/** A segment that cannot be read is passed over here: the projection has told of it. */
function opened({ bytes }: LogItem): Segment | undefined {
  const decoded = decodeSegment(bytes);
  return decoded.outcome === "decoded" ? decoded.segment : undefined;
}
