import type { ClusterName } from "../job/model/ids.ts";

/**
 * The append-only log: one item per sealed segment, written once and never changed (docs/architecture.md, invariant 1).
 * Every operation is one request to DynamoDB: a conditional PutItem, a GetItem, or one page of a Query on `cluster#yyyymmdd`.
 */
export interface Log {
  /** Writes the item unless its key is taken. `duplicate`: the same bytes were there. `conflict`: other bytes were there; they stay, and somebody must look. */
  append(item: LogItem): Promise<AppendOutcome>;
  /** The item under `key`, or `undefined`. */
  read(key: LogKey): Promise<LogItem | undefined>;
  /** Up to `limit` items of one day of one cluster, in the order of their keys, after `after` where given. Fewer than `limit` does not mean the end: `next` absent does. */
  readDay(day: LogDay, options: { readonly after?: LogKey; readonly limit: number }): Promise<LogPage>;
}

/** So many days longer than Jobs is their log kept: one that ended just now can be rebuilt from it for as long as it is kept, and a little longer. */
export const LOG_MORE_DAYS = 30;

/** `pk` = `cluster#yyyymmdd` (UTC day of `sealedAt`), `sk` = `sealedAt#session#sequence`, all of them made by the segment (src/segment/segment-key.ts). */
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
  /** The sealed segment as it was sent: codec byte first. At most 64 KiB; a DynamoDB item holds 400 KB. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the segment's canonical form, lower-case hex: equal for equal facts, however they were compressed. */
  readonly sha256: string;
  readonly factCount: number;
}

export type AppendOutcome =
  | { readonly outcome: "appended" | "duplicate" }
  | { readonly outcome: "conflict"; readonly storedSha256: string };

export interface LogPage {
  readonly items: readonly LogItem[];
  /** Where the next page begins: pass it as `after`. */
  readonly next?: LogKey;
}
