import type { MetaKind } from "../../../src/ports/meta.ts";

const SHA256 = "0a1b".repeat(16);

/** A key as each kind of records has it. */
const KEYS: Readonly<Record<MetaKind, string>> = {
  cluster: "prod-eu",
  namespace: "prod-eu#team",
  node: "prod-eu#node-1",
  cronjob: "prod-eu#uid",
  namespaceMarks: "prod-eu#team",
  gap: "prod-eu#gap",
  hints: "prod-eu#Pod/team/a",
  series: "prod-eu#team#0a1b0a1b0a1b0a1b",
  position: "replay",
  live: "live",
  setAside: `${SHA256}#AROAEXPORTER`,
  setAsideHour: "AROAEXPORTER#2026112700",
  logDay: "prod-eu#20261127",
  logHour: "0#2026112700",
  changes: "1#2026-11-27T00:00:00.000Z#0a1b",
  counts: "prod-eu#A#2026112700",
  countBatch: "A#shard#1",
  countShard: "A#shard",
  metrics: "prod-eu#A",
  cronCounts: "prod-eu#0",
  late: "prod-eu#2026-11-27T00:00:00.000Z#a",
  waiting: "prod-eu#uid",
  notice: "prod-eu#Job#uid",
  receiver: "on-call",
  retention: "prod-eu#team",
  removed: "prod-eu#team",
  hold: "prod-eu#team",
  acknowledgement: `prod-eu#team#${SHA256.slice(0, 32)}`,
  erasure: "e1",
  erased: "e1#000000",
};

/** Every kind of records, with a key. */
export const RECORD_KEYS = Object.entries(KEYS) as readonly (readonly [MetaKind, string])[];
