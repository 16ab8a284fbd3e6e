import type { ClusterName } from "../../job/model/ids.ts";
import { DAY_MILLIS, type Instant, parseInstant, utcDay } from "../../job/model/instant.ts";
import { MAX_AHEAD_MS } from "../../ports/segment-queue.ts";
import { listRecords } from "../../ports/list-records.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { Log, LogItem, LogKey } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDayKey, ofCluster } from "../../ports/meta-key.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { mergedHours, readMergedHour } from "../../log/read-log.ts";
import { isLate, SETTLED_AFTER_MS } from "../../segment/late.ts";
import { utcHour } from "../../segment/pack-key.ts";
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
  readonly key: LogKey;
  /** It arrived late: segments with greater keys were returned before. */
  readonly isBehind: boolean;
  readonly position: LogPosition;
}

export interface FollowRange {
  readonly cluster: ClusterName;
  readonly from: LogPosition;
  readonly now: Instant;
  /** Whether segments in packs are returned, too. Packs have segments of all clusters. @default false */
  readonly withPacks?: boolean;
}

/** Items per read. */
const PAGE = 50;
/** Late segments per call, and further ones that arrived at the same instant. The next call returns the others. */
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
  const packed = range.withPacks === true ? await packedItems(ports, range) : [];
  const late = await readLate(ports.meta, { ...range, packed }, settled);
  const position = yield* lateSegments(ports.log, range, late);
  return yield* freshSegments(ports, { ...range, from: position, packed }, { settled, pending: late.pending });
}

/** The records of late arrivals that the reader has not handled. */
interface LateArrivals {
  readonly settled: readonly LateArrival[];
  /** The marks of segments that arrived so recently that a concurrent writer may still add an earlier arrival. */
  readonly pending: ReadonlySet<string>;
  /** All settled arrivals up to this instant are listed. */
  readonly until: Instant;
}

interface LateArrival {
  readonly key: LogKey;
  readonly arrivedAt: Instant;
}

/** A range, and the segments of its cluster that packs have. */
interface PackedRange extends FollowRange {
  readonly packed: readonly LogItem[];
}

async function readLate(meta: MetaStore, range: PackedRange, settled: Instant): Promise<LateArrivals> {
  const arrivals: LateArrival[] = [];
  let until = settled;
  for await (const { key, arrivedAt } of await lateArrivals(meta, range)) {
    const lastAt = arrivals.at(-1)?.arrivedAt ?? arrivedAt;
    // A position names an instant, so the arrivals of one instant are read together.
    if (arrivals.length >= MAX_LATE && arrivedAt > lastAt) {
      until = Math.min(settled, lastAt);
      break;
    }
    arrivals.push({ key, arrivedAt });
  }
  const pending = arrivals.filter(({ arrivedAt }) => arrivedAt > settled).map(({ key }) => segmentMark(key.sk));
  const isSettled = ({ arrivedAt }: LateArrival): boolean => arrivedAt <= settled;
  return { settled: arrivals.filter(isSettled), pending: new Set(pending), until };
}

/** What arrived late, in order of arrival: ingest has a record of each log item, and a pack says when it arrived. */
async function lateArrivals(
  meta: MetaStore,
  { cluster, from, packed }: PackedRange,
): Promise<AsyncIterable<LateArrival> | readonly LateArrival[]> {
  const recorded = recordedLate(meta, cluster, from.lateUntil);
  const inPacks = packed.flatMap(({ key }) => {
    const arrivedAt = key.pack?.arrivedAt ?? 0;
    return arrivedAt > from.lateUntil && isLate(sealedAtOf(key.sk), arrivedAt) ? [{ key, arrivedAt }] : [];
  });
  if (inPacks.length === 0) return recorded;
  const all: LateArrival[] = [...inPacks];
  for await (const one of recorded) all.push(one);
  return all.sort((a, b) => a.arrivedAt - b.arrivedAt);
}

async function* recordedLate(meta: MetaStore, cluster: ClusterName, from: Instant): AsyncGenerator<LateArrival> {
  const prefix = ofCluster(cluster);
  for await (const { key } of listRecords(meta, "late", { prefix, after: `${prefix}${floorAt(from + 1)}` })) {
    const [arrived, ...rest] = key.slice(prefix.length).split("#");
    yield { key: keyIn(cluster, rest.join("#")), arrivedAt: parseInstant(arrived) ?? 0 };
  }
}

/** The settled late segments that were not returned before. */
async function* lateSegments(
  log: Log,
  { from }: FollowRange,
  { settled, until }: LateArrivals,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const given = new Set(from.given);
  for (const [index, { key, arrivedAt }] of settled.entries()) {
    const mark = segmentMark(key.sk);
    // The caller reads the segments after the floor from the log itself.
    if (key.sk > from.floor || given.has(mark)) continue;
    given.add(mark);
    const item = await log.read(key);
    const segment = item && decoded(item);
    // The next call reads all arrivals of an instant again until the last one was returned.
    const lateUntil = settled[index + 1]?.arrivedAt === arrivedAt ? arrivedAt - 1 : arrivedAt;
    const position = { ...from, given: [...given], lateUntil };
    if (segment !== undefined) yield { segment, key, isBehind: true, position };
  }
  return { ...from, lateUntil: Math.max(from.lateUntil, until) };
}

interface FreshLimits {
  readonly settled: Instant;
  readonly pending: ReadonlySet<string>;
}

async function* freshSegments(
  ports: FollowPorts,
  { cluster, from, now, packed }: PackedRange,
  { settled, pending }: FreshLimits,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const given = new Set(from.given);
  let floor = from.floor;
  // A pending segment stays listed, because its late arrival is read after the floor has passed it.
  const kept = new Set(from.given.filter((mark) => pending.has(mark)));
  const items = withPacked(itemsAfter(ports, cluster, { floor: from.floor, now }), packed, from.floor);
  for await (const item of items) {
    const { sk } = item.key;
    const mark = segmentMark(sk);
    const isSettled = sealedAtOf(sk) < settled;
    if (isSettled) floor = sk;
    if (!isSettled || pending.has(mark)) kept.add(mark);
    if (given.has(mark)) continue;
    const segment = decoded(item);
    // Until the end is reached, segments that were returned earlier remain listed.
    const position = { floor, given: [...new Set([...kept, ...from.given])], lateUntil: from.lateUntil };
    if (segment !== undefined) yield { segment, key: item.key, isBehind: isBehind(sk, from, given), position };
  }
  const horizon = floorAt(Math.min(settled, now));
  return { floor: horizon > floor ? horizon : floor, given: [...kept], lateUntil: from.lateUntil };
}

/** Segments after the floor were returned before, so this one may have arrived between them. */
function isBehind(sk: string, { floor }: LogPosition, given: ReadonlySet<string>): boolean {
  return given.size > 0 && sk > floor;
}

interface LogRange {
  readonly floor: string;
  readonly now: Instant;
}

async function* itemsAfter(
  { log, meta }: FollowPorts,
  cluster: ClusterName,
  { floor, now }: LogRange,
): AsyncGenerator<LogItem> {
  for (const day of recentDays(floor, now) ?? (await daysFrom(meta, cluster, dayOfKey(floor)))) {
    let after = startIn(cluster, day, floor);
    do {
      const page = await log.readDay({ cluster, day }, { ...(after && { after }), limit: PAGE });
      yield* page.items;
      after = page.next;
    } while (after !== undefined);
  }
}

/** Merges the items after the floor that packs have. A segment that was delivered twice is returned once. */
async function* withPacked(
  items: AsyncIterable<LogItem>,
  packed: readonly LogItem[],
  floor: string,
): AsyncGenerator<LogItem> {
  const left = new Map(packed.filter(({ key }) => key.sk > floor).map((item) => [item.key.sk, item]));
  const sorted = [...left.values()].sort((a, b) => compareText(b.key.sk, a.key.sk));
  for await (const item of items) {
    for (let next = sorted.at(-1); next !== undefined && next.key.sk <= item.key.sk; next = sorted.at(-1)) {
      sorted.pop();
      if (next.key.sk < item.key.sk) yield next;
    }
    yield item;
  }
  yield* sorted.toReversed();
}

/** The cluster's segments in packs that arrived since the position. The packs of all clusters are read. */
async function packedItems({ log, meta }: FollowPorts, { cluster, from }: FollowRange): Promise<readonly LogItem[]> {
  const since = Math.min(sealedAtOf(from.floor), from.lateUntil + 1) - SETTLED_AFTER_MS;
  const own = ofCluster(cluster);
  const items: LogItem[] = [];
  for await (const shards of mergedHours(meta, utcHour(since - HOUR_MS))) {
    for await (const pack of readMergedHour(log, shards, { after: floorAt(since) })) {
      items.push(...pack.items.filter(({ key }) => key.pack !== undefined && key.pk.startsWith(own)));
    }
  }
  return items;
}

const HOUR_MS = 3_600_000;

/** The days to read for a floor of today or yesterday, without asking which days have items. */
function recentDays(floor: string, now: Instant): readonly string[] | undefined {
  const [first, last] = [sealedAtOf(floor), now + MAX_AHEAD_MS];
  if (last < first || last - first > DAY_MILLIS) return undefined;
  return [...new Set([utcDay(first), utcDay(last)])];
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
