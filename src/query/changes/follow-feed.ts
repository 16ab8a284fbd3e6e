import type { Instant } from "../../job/model/instant.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import { compareText } from "../../job/model/compare-text.ts";
import { changesKey } from "../../ports/meta-key.ts";
import { changesRecord } from "../../ports/records/changes-record.ts";
import type { JobChange } from "../../explain/answer-document.ts";
import { unpackChanges } from "../../projection/changes/change-bytes.ts";
import { CHANGE_SHARDS } from "../../projection/changes/change-feed.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { packArrivedAt } from "../../segment/pack-key.ts";
import { type FeedPosition, markOf, MAX_GIVEN } from "./changes-cursor.ts";
import { floorAt } from "./log-position.ts";

export function feedFrom(instant: Instant): FeedPosition {
  return { floor: floorAt(instant), given: [] };
}

export interface FeedQuery {
  readonly from: FeedPosition;
  readonly now: Instant;
  /** No further record is read after this many changes. */
  readonly limit: number;
  /** Returns every change at once. Its positions may list more records than a cursor can. @default false */
  readonly isPrompt?: boolean | undefined;
}

/** A record that was returned before it has settled. */
export interface EarlyRecord {
  readonly mark: string;
  /** The selected ones. */
  readonly changes: readonly JobChange[];
}

export interface FollowedFeed {
  readonly items: readonly JobChange[];
  /** The records of `items` that have not settled. */
  readonly early: readonly EarlyRecord[];
  readonly position: FeedPosition;
  /** Whether further records may be available now. */
  readonly more: boolean;
}

/** The most records of one call, for readers who may see few of them. */
const MAX_RECORDS = 200;

/**
 * The selected changes after a position. Records that have settled are read once. Records that have not settled are
 * returned early if they are few enough for the cursor to list them. Each call then reads the last fifteen seconds
 * again.
 */
export async function followFeed(
  meta: MetaStore,
  { from, now, limit, isPrompt = false }: FeedQuery,
  isSelected: (change: JobChange) => boolean,
): Promise<FollowedFeed> {
  const settled = floorAt(now - SETTLED_AFTER_MS);
  const given = new Set(from.given);
  const items: JobChange[] = [];
  let floor = from.floor;
  let records = 0;
  const ahead = now - SETTLED_AFTER_MS - packArrivedAt(floor) >= AHEAD_AFTER_MS ? new ReadAhead(now) : undefined;
  for await (const record of recordsBetween(meta, { after: floor, before: settled, ahead })) {
    floor = skOf(record);
    records += 1;
    if (!given.has(markOf(floor))) items.push(...changesIn(record).filter(isSelected));
    const isFull = items.length >= limit || records >= MAX_RECORDS;
    if (isFull) return { items, early: [], position: { floor, given: from.given }, more: true };
  }
  floor = later(floor, settled);
  if (!isPrompt && isBusy(from, { records, now })) {
    return { items, early: [], position: { floor, given: from.given.slice(-MAX_GIVEN) }, more: false };
  }
  const most = isPrompt ? Infinity : MAX_GIVEN;
  const { early, listed } = await readEarly(meta, { after: floor, now, given, most, isSelected, ahead });
  items.push(...early.flatMap(({ changes }) => changes));
  return { items, early, position: { floor, given: listed }, more: false };
}

/** The number of records in fifteen seconds that a cursor can no longer list. */
function isBusy({ floor, given }: FeedPosition, { records, now }: { readonly records: number; readonly now: Instant }) {
  const seconds = Math.max(1, (now - SETTLED_AFTER_MS - packArrivedAt(floor)) / 1_000);
  return given.length >= MAX_GIVEN || (records / seconds) * (SETTLED_AFTER_MS / 1_000) > MAX_GIVEN;
}

interface EarlyQuery {
  readonly after: string;
  readonly now: Instant;
  readonly given: ReadonlySet<string>;
  /** The most records that the position lists. */
  readonly most: number;
  readonly isSelected: (change: JobChange) => boolean;
  /** What was read together with settled records. */
  readonly ahead: ReadAhead | undefined;
}

/** A position lists only records with changes that its reader may see. Other records are read again and skipped. */
async function readEarly(
  meta: MetaStore,
  { after, now, given, most, isSelected, ahead }: EarlyQuery,
): Promise<{ readonly early: readonly EarlyRecord[]; readonly listed: readonly string[] }> {
  const early: EarlyRecord[] = [];
  const listed: string[] = [];
  for await (const record of ahead?.records() ?? recordsBetween(meta, { after, before: earlyEnd(now) })) {
    const mark = markOf(skOf(record));
    const changes = given.has(mark) ? [] : changesIn(record).filter(isSelected);
    if (changes.length === 0 && !given.has(mark)) continue;
    if (listed.length >= most) break;
    listed.push(mark);
    if (changes.length > 0) early.push({ mark, changes });
  }
  return { early, listed };
}

function earlyEnd(now: Instant): string {
  return floorAt(now + SETTLED_AFTER_MS);
}

interface FeedRange {
  readonly after: string;
  readonly before: string;
  /** Receives the records after the range that the first page of each shard has. */
  readonly ahead?: ReadAhead | undefined;
}

/** The records of all shards between two sort keys, in order. */
async function* recordsBetween(meta: MetaStore, range: FeedRange): AsyncGenerator<MetaRecord> {
  if (range.after >= range.before) return;
  const heads = await Promise.all(
    Array.from({ length: CHANGE_SHARDS }, async (_, shard) => {
      const stream = recordsOf(meta, { ...range, shard });
      return { stream, next: await stream.next() };
    }),
  );
  for (;;) {
    const left = heads.flatMap((head) => (head.next.done === true ? [] : [{ head, record: head.next.value }]));
    const [first] = left.sort((a, b) => compareText(skOf(a.record), skOf(b.record)));
    if (first === undefined) return;
    yield first.record;
    first.head.next = await first.head.stream.next();
  }
}

interface ShardRange extends FeedRange {
  readonly shard: number;
}

const PAGE = 50;

async function* recordsOf(meta: MetaStore, { shard, after, before, ahead }: ShardRange): AsyncGenerator<MetaRecord> {
  const prefix = changesKey(shard, "");
  const end = prefix + before;
  let next: string | undefined = prefix + after;
  for (let until = ahead === undefined ? end : prefix + ahead.until; next !== undefined && next < end; until = end) {
    const page = await meta.list("changes", { prefix, after: next, before: until, limit: PAGE, isEventual: true });
    const isAhead = until !== end && page.next === undefined;
    if (isAhead) ahead?.take(page.records.filter(({ key }) => key >= end));
    yield* page.records.filter(({ key }) => key < end);
    ({ next } = page);
  }
}

/**
 * A follower that has not read for this long reads the records that have not settled together with the others, which
 * saves a query of each shard. The first page of a busy feed has none of them.
 */
const AHEAD_AFTER_MS = (SETTLED_AFTER_MS * PAGE * CHANGE_SHARDS) / MAX_GIVEN;

/** Records that have not settled and were read together with settled ones. */
class ReadAhead {
  readonly until: string;
  readonly #records: MetaRecord[] = [];
  #completeShards = 0;

  constructor(now: Instant) {
    this.until = earlyEnd(now);
  }

  take(records: readonly MetaRecord[]): void {
    this.#records.push(...records);
    this.#completeShards += 1;
  }

  /** All of them in order; `undefined` if a shard has more. */
  records(): readonly MetaRecord[] | undefined {
    if (this.#completeShards < CHANGE_SHARDS) return undefined;
    return this.#records.toSorted((a, b) => compareText(skOf(a), skOf(b)));
  }
}

/** Changes of a later release, which cannot be read, are left out. */
function changesIn(record: MetaRecord): readonly JobChange[] {
  return unpackChanges(changesRecord.decode(record).packed) ?? [];
}

function skOf({ key }: MetaRecord): string {
  return key.slice(key.indexOf("#") + 1);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
