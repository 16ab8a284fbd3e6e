import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant, utcDay } from "../../job/model/instant.ts";
import { MAX_AHEAD_MS } from "../../ingest/ingest-segment.ts";
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
  /** @default "all" */
  readonly early?: EarlyReturns;
}

/**
 * Which segments are returned before they have settled. A position lists each of them. `left`: as many as are left; a
 * segment that is held back is returned once it has settled.
 */
export type EarlyReturns = "all" | "none" | { left: number };

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
  const late = await readLate(ports.meta, range, settled);
  const position = yield* lateSegments(ports.log, range, late);
  return yield* freshSegments(ports, { ...range, from: position }, { settled, pending: late.pending });
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
  readonly sk: string;
  readonly arrivedAt: Instant;
}

async function readLate(meta: MetaStore, { cluster, from }: FollowRange, settled: Instant): Promise<LateArrivals> {
  const prefix = ofCluster(cluster);
  const arrivals: LateArrival[] = [];
  let until = settled;
  for await (const { key } of listRecords(meta, "late", { prefix, after: `${prefix}${floorAt(from.lateUntil + 1)}` })) {
    const [arrived, ...rest] = key.slice(prefix.length).split("#");
    const arrivedAt = parseInstant(arrived) ?? 0;
    const lastAt = arrivals.at(-1)?.arrivedAt ?? arrivedAt;
    // A position names an instant, so the arrivals of one instant are read together.
    if (arrivals.length >= MAX_LATE && arrivedAt > lastAt) {
      until = Math.min(settled, lastAt);
      break;
    }
    arrivals.push({ sk: rest.join("#"), arrivedAt });
  }
  const pending = arrivals.filter(({ arrivedAt }) => arrivedAt > settled).map(({ sk }) => segmentMark(sk));
  const isSettled = ({ arrivedAt }: LateArrival): boolean => arrivedAt <= settled;
  return { settled: arrivals.filter(isSettled), pending: new Set(pending), until };
}

/** The settled late segments that were not returned before. */
async function* lateSegments(
  log: Log,
  { cluster, from }: FollowRange,
  { settled, until }: LateArrivals,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const given = new Set(from.given);
  for (const [index, { sk, arrivedAt }] of settled.entries()) {
    const mark = segmentMark(sk);
    // Segments after the floor are read below anyway.
    if (sk > from.floor || given.has(mark)) continue;
    given.add(mark);
    const item = await log.read(keyIn(cluster, sk));
    const segment = item && decoded(item);
    // The next call reads all arrivals of an instant again until the last one was returned.
    const lateUntil = settled[index + 1]?.arrivedAt === arrivedAt ? arrivedAt - 1 : arrivedAt;
    const position = { ...from, given: [...given], lateUntil };
    if (segment !== undefined) yield { segment, sk, isBehind: true, position };
  }
  return { ...from, lateUntil: Math.max(from.lateUntil, until) };
}

interface FreshLimits {
  readonly settled: Instant;
  readonly pending: ReadonlySet<string>;
}

async function* freshSegments(
  ports: FollowPorts,
  { cluster, from, now, early = "all" }: FollowRange,
  { settled, pending }: FreshLimits,
): AsyncGenerator<FollowedSegment, LogPosition, void> {
  const given = new Set(from.given);
  let floor = from.floor;
  // A pending segment stays listed, because its late arrival is read after the floor has passed it.
  const kept = new Set(from.given.filter((mark) => pending.has(mark)));
  const items = itemsAfter(ports, cluster, { floor: from.floor, now });
  for await (const { item, mark, isSettled } of withoutHeld(items, { settled, given, early })) {
    const { sk } = item.key;
    if (isSettled) floor = sk;
    if (!isSettled || pending.has(mark)) kept.add(mark);
    if (given.has(mark)) continue;
    const segment = decoded(item);
    // Until the end is reached, segments that were returned earlier remain listed.
    const position = { floor, given: [...new Set([...kept, ...from.given])], lateUntil: from.lateUntil };
    if (segment !== undefined) yield { segment, sk, isBehind: isBehind(sk, from, given), position };
  }
  const horizon = floorAt(Math.min(settled, now));
  return { floor: horizon > floor ? horizon : floor, given: [...kept], lateUntil: from.lateUntil };
}

interface MarkedItem {
  readonly item: LogItem;
  readonly mark: string;
  readonly isSettled: boolean;
}

interface EarlyLimits {
  readonly settled: Instant;
  readonly given: ReadonlySet<string>;
  readonly early: EarlyReturns;
}

/** The items that have settled, those that were returned before, and those that may be returned early. */
async function* withoutHeld(
  items: AsyncIterable<LogItem>,
  { settled, given, early }: EarlyLimits,
): AsyncGenerator<MarkedItem> {
  for await (const item of items) {
    const mark = segmentMark(item.key.sk);
    const isSettled = sealedAtOf(item.key.sk) < settled;
    // Keys are in the order of sealing, so no later segment has settled either.
    if (!isSettled && early === "none") return;
    if (isSettled || given.has(mark) || mayReturn(early)) yield { item, mark, isSettled };
  }
}

/** Uses one of the early returns that are left. */
function mayReturn(early: EarlyReturns): boolean {
  if (early === "all" || early === "none") return early === "all";
  early.left -= 1;
  return early.left >= 0;
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

const DAY_MS = 86_400_000;

/** The days to read for a floor of today or yesterday, without asking which days have items. */
function recentDays(floor: string, now: Instant): readonly string[] | undefined {
  const [first, last] = [sealedAtOf(floor), now + MAX_AHEAD_MS];
  if (last < first || last - first > DAY_MS) return undefined;
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
