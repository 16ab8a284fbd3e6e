import type { ClusterName } from "../job/model/ids.ts";

/**
 * The append-only log: one item per sealed segment, written once and never changed (docs/architecture.md, invariant 1).
 * Each operation is one request to DynamoDB: a conditional PutItem, a GetItem, or a page of a Query on
 * `cluster#yyyymmdd`.
 */
export interface Log {
  /**
   * Writes the item unless its key is taken. `duplicate`: the stored item is the same. `conflict`: the stored item is
   * different, and stays. An operator must investigate.
   */
  append(item: LogItem): Promise<AppendOutcome>;
  /** The item under `key`, or `undefined`. */
  read(key: LogKey): Promise<LogItem | undefined>;
  /**
   * At most `limit` items of one day of one cluster after the key `after`, in order of key. A page without `next` is
   * the last one; a page with fewer items may not be.
   */
  readDay(day: LogDay, options: { readonly after?: LogKey; readonly limit: number }): Promise<LogPage>;
}

/** The log is kept these days longer than Jobs, so that each stored Job can be rebuilt from it. */
export const LOG_MORE_DAYS = 30;

/**
 * `pk` is `cluster#yyyymmdd` (UTC day of `sealedAt`), `sk` is `sealedAt#session#sequence`. Both are derived from the
 * segment (src/segment/segment-key.ts).
 */
export interface LogKey {
  readonly pk: string;
  readonly sk: string;
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

export type AppendOutcome =
  | { readonly outcome: "appended" | "duplicate" }
  | { readonly outcome: "conflict"; readonly storedSha256: string };

export interface LogPage {
  readonly items: readonly LogItem[];
  /** The `after` of the next page. */
  readonly next?: LogKey;
}
