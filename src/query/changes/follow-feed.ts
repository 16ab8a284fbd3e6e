import type { Instant } from "../../job/model/instant.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
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
  for await (const record of recordsBetween(meta, floor, settled)) {
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
  const { early, listed } = await readEarly(meta, { after: floor, now, given, most, isSelected });
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
}

/** A position lists only records with changes that its reader may see. Other records are read again and skipped. */
async function readEarly(
  meta: MetaStore,
  { after, now, given, most, isSelected }: EarlyQuery,
): Promise<{ readonly early: readonly EarlyRecord[]; readonly listed: readonly string[] }> {
  const early: EarlyRecord[] = [];
  const listed: string[] = [];
  for await (const record of recordsBetween(meta, after, floorAt(now + SETTLED_AFTER_MS))) {
    const mark = markOf(skOf(record));
    const changes = given.has(mark) ? [] : changesIn(record).filter(isSelected);
    if (changes.length === 0 && !given.has(mark)) continue;
    if (listed.length >= most) break;
    listed.push(mark);
    if (changes.length > 0) early.push({ mark, changes });
  }
  return { early, listed };
}

/** The records of all shards between two sort keys, in order. */
async function* recordsBetween(meta: MetaStore, after: string, before: string): AsyncGenerator<MetaRecord> {
  if (after >= before) return;
  const heads = await Promise.all(
    Array.from({ length: CHANGE_SHARDS }, async (_, shard) => {
      const stream = recordsOf(meta, { shard, after, before });
      return { stream, next: await stream.next() };
    }),
  );
  for (;;) {
    const left = heads.flatMap((head) => (head.next.done === true ? [] : [{ head, record: head.next.value }]));
    const [first] = left.sort((a, b) => (skOf(a.record) < skOf(b.record) ? -1 : 1));
    if (first === undefined) return;
    yield first.record;
    first.head.next = await first.head.stream.next();
  }
}

interface ShardRange {
  readonly shard: number;
  readonly after: string;
  readonly before: string;
}

const PAGE = 50;

async function* recordsOf(meta: MetaStore, { shard, after, before }: ShardRange): AsyncGenerator<MetaRecord> {
  const prefix = changesKey(shard, "");
  let next: string | undefined = prefix + after;
  while (next !== undefined) {
    const range = { prefix, after: next, before: prefix + before, limit: PAGE, isEventual: true };
    const page = await meta.list("changes", range);
    yield* page.records;
    ({ next } = page);
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
