import type { MetaKind } from "../../ports/meta.ts";

/**
 * Where the content of a stored record comes from. `log`: it follows from the log, so verify compares it and a rebuild
 * replaces it. `own`: it is stored nowhere else, so only a backup can restore it. `progress`: how far some work has
 * come; a wrong value repeats the work or delays it.
 */
export type StoredOrigin = "log" | "own" | "progress";

/** The origin of every kind of record (docs/operations.md). */
export const STORED_KINDS: Readonly<Record<MetaKind, StoredOrigin>> = {
  cluster: "log",
  namespace: "log",
  node: "log",
  cronjob: "log",
  namespaceMarks: "log",
  gap: "log",
  hints: "log",
  series: "log",
  logDay: "log",
  logHour: "log",
  counts: "log",
  countBatch: "log",
  countShard: "progress",
  metrics: "log",
  position: "progress",
  waiting: "progress",
  setAsideHour: "progress",
  receiver: "progress",
  live: "own",
  late: "own",
  cronCounts: "own",
  setAside: "own",
  changes: "own",
  notice: "own",
  retention: "own",
  removed: "own",
  hold: "own",
  acknowledgement: "own",
  erasure: "own",
  erased: "own",
};
