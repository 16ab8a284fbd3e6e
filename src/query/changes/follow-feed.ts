import type { Instant } from "../../job/model/instant.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import { changesKey } from "../../ports/meta-key.ts";
import { changesRecord } from "../../ports/records/changes-record.ts";
import type { JobChange } from "../../projection/changes/announced-change.ts";
import { unpackChanges } from "../../projection/changes/change-bytes.ts";
import { CHANGE_SHARDS } from "../../projection/changes/change-feed.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { packArrivedAt } from "../../segment/pack-key.ts";
import { decodeCursor, encodeCursor } from "../list/cursor.ts";
import { CURSOR_KIND } from "./follow-position.ts";
import { floorAt } from "./log-position.ts";

/** How far a reader has followed the announced changes. Its size is the same for any number of clusters. */
export interface FeedPosition {
  /** The sort key of a record, or a prefix of one. All records up to it were read; no other can still appear there. */
  readonly floor: string;
  /** Marks of later records that were read before they had settled. */
  readonly given: readonly string[];
}

export function feedFrom(instant: Instant): FeedPosition {
  return { floor: floorAt(instant), given: [] };
}

const LAYOUT = "feed";
/** How many early records a cursor lists. */
export const MAX_GIVEN = 56;
const MARK_LENGTH = 6;
const FLOOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?:#[0-9a-f]{16})?$/;
const MARKS = /^(?:[0-9a-f]{6})*$/;

/** The cursor of a position: at most 550 bytes. */
export function encodeFeed({ floor, given }: FeedPosition): string {
  return encodeCursor(CURSOR_KIND, [LAYOUT, floor, given.join("")]);
}

/** The position of a cursor; `undefined` if it is another cursor. */
export function decodeFeed(cursor: string): FeedPosition | undefined {
  const decoded = decodeCursor(CURSOR_KIND, cursor, ([layout, floor, marks]) => {
    if (layout !== LAYOUT || typeof floor !== "string" || typeof marks !== "string") return undefined;
    if (!FLOOR.test(floor) || !MARKS.test(marks) || marks.length > MAX_GIVEN * MARK_LENGTH) return undefined;
    return { floor, given: marks.match(/.{6}/g) ?? [] };
  });
  return decoded.outcome === "decoded" ? decoded.position : undefined;
}

export interface FeedQuery {
  readonly from: FeedPosition;
  readonly now: Instant;
  /** No further record is read after this many changes. */
  readonly limit: number;
}

export interface FollowedFeed {
  readonly items: readonly JobChange[];
  readonly position: FeedPosition;
  /** Whether further records may be available now. */
  readonly more: boolean;
}

/** The most records of one call, for readers who may see few of them. */
const MAX_RECORDS = 200;

/**
 * The selected changes after a position. Records that have settled are read once. Later ones are returned early, if
 * they are so few that a cursor can list them; then each call reads the last fifteen seconds again.
 */
export async function followFeed(
  meta: MetaStore,
  { from, now, limit }: FeedQuery,
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
    if (isFull) return { items, position: { floor, given: from.given }, more: true };
  }
  if (isBusy(from, { records, now })) {
    return { items, position: { floor: later(floor, settled), given: from.given.slice(-MAX_GIVEN) }, more: false };
  }
  const early = await readEarly(meta, { after: later(floor, settled), now, given, isSelected });
  items.push(...early.items);
  return { items, position: { floor: later(floor, settled), given: early.given }, more: false };
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
  readonly isSelected: (change: JobChange) => boolean;
}

/** A position lists only records with changes that its reader may see. Other records are read again and skipped. */
async function readEarly(
  meta: MetaStore,
  { after, now, given, isSelected }: EarlyQuery,
): Promise<{ readonly items: readonly JobChange[]; readonly given: readonly string[] }> {
  const items: JobChange[] = [];
  const listed: string[] = [];
  for await (const record of recordsBetween(meta, after, floorAt(now + SETTLED_AFTER_MS))) {
    const mark = markOf(skOf(record));
    const selected = changesIn(record).filter(isSelected);
    if (selected.length === 0) continue;
    if (listed.length >= MAX_GIVEN) break;
    listed.push(mark);
    if (!given.has(mark)) items.push(...selected);
  }
  return { items, given: listed };
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

/** The first digits of a record's name, which is a hash. */
function markOf(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1).slice(0, MARK_LENGTH);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
