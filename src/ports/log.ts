import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { Segment } from "../segment/segment.ts";

/**
 * The append-only log: a set of sealed segments, each written once and never changed (docs/architecture.md, invariant
 * 1). A segment is an item of its own, by cluster and day, or in a pack, by shard and hour
 * (docs/decisions/0029-packs.md). Each operation is one request to DynamoDB: a conditional PutItem, a GetItem, or a
 * page of a Query.
 */
export interface Log {
  /**
   * Writes the item unless its key is taken. `duplicate`: the stored item is the same. `conflict`: the stored item is
   * different, and stays. An operator must investigate.
   */
  append(item: LogItem): Promise<AppendOutcome>;
  /** The item under `key`, or `undefined`. A key with `pack` is read from that pack. */
  read(key: LogKey): Promise<LogItem | undefined>;
  /**
   * At most `limit` items of one day of one cluster after the key `after`, in order of key. A page without `next` is
   * the last one; a page with fewer items may not be.
   */
  readDay(day: LogDay, options: { readonly after?: LogKey; readonly limit: number }): Promise<LogPage>;
  /** The partitions (`cluster#yyyymmdd`) with items. Only in stores that find them without reading every item. */
  partitions?(): Promise<readonly string[]>;
  /** The packs. Present in stores that pack segments (DynamoDB). SQLite stores each segment in a day of its cluster. */
  readonly packs?: PackedLog;
}

/** The packs of a log: segments that arrived together, in one item each. */
export interface PackedLog {
  /**
   * Writes a pack. A repetition changes nothing. Either the pack is readable within `PACK_DEADLINE_MS` of its arrival,
   * or the promise rejects and the pack is never written.
   */
  append(pack: LogPack): Promise<void>;
  /**
   * At most `limit` packs of an hour of a shard, in order of arrival. A page without `next` is the last one. A page
   * with fewer packs than `limit`, or none, need not be the last one.
   */
  readHour(hour: LogHour, range: PackRange): Promise<PackPage>;
}

export interface PackRange {
  /** Packs after this sort key, or prefix of one. */
  readonly after?: string;
  /** Packs before this sort key, or prefix of one. */
  readonly before?: string;
  readonly limit: number;
  /** Whether a pack may be missing that was written less than a second ago. Costs half. @default false */
  readonly isEventual?: boolean;
}

export interface PackPage {
  readonly packs: readonly LogPack[];
  /** The `after` of the next page. */
  readonly next?: string;
}

/** Segments in one item. Its name depends on their names and content. */
export interface LogPack {
  readonly hour: LogHour;
  /** `arrivedAt#name`: packs of an hour sort by arrival (src/segment/pack-key.ts). */
  readonly sk: string;
  readonly items: readonly LogItem[];
}

/** How long a write of a pack may take. Readers expect a pack within `SETTLED_AFTER_MS` (src/segment/late.ts). */
export const PACK_DEADLINE_MS = 8_000;

/** How many days longer than Jobs the log is kept, so that each stored Job can be rebuilt from it. */
export const LOG_MORE_DAYS = 30;

/**
 * `pk` is `cluster#yyyymmdd` (UTC day of `sealedAt`), `sk` is `sealedAt#session#sequence`. Both are derived from the
 * segment (src/segment/segment-key.ts).
 */
export interface LogKey {
  readonly pk: string;
  readonly sk: string;
  /** The pack that contains the segment. Absent for an item of its own. */
  readonly pack?: PackPlace;
}

/** The shard and the arrival of a pack. */
export interface PackPlace {
  readonly shard: number;
  readonly arrivedAt: Instant;
}

/** One UTC hour of one shard of the log, by arrival: `yyyymmddhh`. */
export interface LogHour {
  readonly shard: number;
  readonly hour: string;
}

/** One UTC day of one cluster's log: `yyyymmdd`. */
export interface LogDay {
  readonly cluster: ClusterName;
  readonly day: string;
}

export interface LogItem {
  readonly key: LogKey;
  /** The sealed segment as it was sent: codec byte first. At most 64 KiB; a DynamoDB item has at most 400 KB. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the segment's canonical form, lower-case hex. Equal facts have an equal hash, in any compression. */
  readonly sha256: string;
  readonly factCount: number;
}

/** A log item, and its segment if the caller decoded it already: decoding takes a tenth of the time of an import. */
export interface OpenedItem extends LogItem {
  readonly segment?: Segment;
}

export type AppendOutcome =
  | { readonly outcome: "appended" | "duplicate" }
  | { readonly outcome: "conflict"; readonly storedSha256: string };

export interface LogPage {
  readonly items: readonly LogItem[];
  /** The `after` of the next page. */
  readonly next?: LogKey;
}
