import type { Instant } from "../../job/model/instant.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { decodeCursor, type DecodedCursor, encodeCursor } from "../list/cursor.ts";

/** How far a reader has followed the announced changes. Its size is the same for any number of clusters. */
export interface FeedPosition {
  /** The sort key of a record, or a prefix of one. All records up to it were read; no other can still appear there. */
  readonly floor: string;
  /** Marks of later records that were read before they had settled. */
  readonly given: readonly string[];
}

/** The cursor of an earlier release: where its reader must begin again. */
export interface EarlierCursor {
  readonly restartAt: Instant;
}

/** Identifies cursors of changes. Part of every cursor, so it must not change. */
const KIND = "changes";
const LAYOUT = "feed";
/** Cursors of readers that followed logs have the instant that all clusters were read to, and that of the next pass. */
const EARLIER_LAYOUTS: ReadonlySet<unknown> = new Set(["pass", "log"]);
/** How many early records a cursor lists. */
export const MAX_GIVEN = 56;
const MARK_LENGTH = 6;
const FLOOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?:#[0-9a-f]{16})?$/;
const MARKS = /^(?:[0-9a-f]{6})*$/;

/** The cursor of a position: at most 550 bytes. Given records that it does not list are read again. */
export function encodeFeed({ floor, given }: FeedPosition): string {
  return encodeCursor(KIND, [LAYOUT, floor, given.slice(-MAX_GIVEN).join("")]);
}

export function decodeChangesCursor(cursor: string): DecodedCursor<FeedPosition | EarlierCursor> {
  return decodeCursor(KIND, cursor, (fields) => readPosition(fields) ?? readEarlier(fields));
}

function readPosition([layout, floor, marks]: readonly unknown[]): FeedPosition | undefined {
  if (layout !== LAYOUT || typeof floor !== "string" || typeof marks !== "string") return undefined;
  if (!FLOOR.test(floor) || !MARKS.test(marks) || marks.length > MAX_GIVEN * MARK_LENGTH) return undefined;
  return { floor, given: marks.match(/.{6}/g) ?? [] };
}

function readEarlier([layout, from, , until = from]: readonly unknown[]): EarlierCursor | undefined {
  if (!EARLIER_LAYOUTS.has(layout) || !isInstant(from) || !isInstant(until)) return undefined;
  return { restartAt: Math.min(from, until) - SETTLED_AFTER_MS };
}

/** Before the year 10000. */
const MOST_INSTANT = 253_402_300_799_999;

function isInstant(value: unknown): value is Instant {
  return typeof value === "number" && Number.isSafeInteger(value) && value > SETTLED_AFTER_MS && value <= MOST_INSTANT;
}

/** The first digits of a record's name, which is a hash. */
export function markOf(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1).slice(0, MARK_LENGTH);
}
