import type { Targets } from "./schedule.ts";

const COMMON = {
  "clock jump": ["exporter a", "exporter b"],
  duplicate: ["queue"],
  reorder: ["queue"],
  corrupt: ["queue"],
  compaction: ["etcd"],
} as const;

/** `outlive serve` on SQLite, which watches by itself, and a consumer of the exporters' queue on the same file. */
export const ONE_PROCESS: Targets = {
  ...COMMON,
  kill: ["serve", "serve", "consumer", "exporter a", "exporter b", "API server", "etcd"],
  stop: ["serve", "consumer", "exporter a", "exporter b", "API server", "etcd"],
  "disk full": ["database", "database", "spool a", "spool b"],
  "clock jump": [...COMMON["clock jump"], "serve", "consumer"],
  throttle: ["queue"],
  partition: [
    "exporter a to API server",
    "exporter b to API server",
    "serve to API server",
    "queue, cut",
    "queue, silent",
    "queue, denied",
  ],
};

/** The stack on an emulator. Its functions reach the stores through a proxy. */
export const DEPLOYED: Targets = {
  ...COMMON,
  kill: ["functions", "functions", "exporter a", "exporter b", "API server", "etcd"],
  stop: ["functions", "exporter a", "exporter b", "API server", "etcd"],
  "disk full": ["spool a", "spool b"],
  "clock jump": [...COMMON["clock jump"], "functions"],
  throttle: ["queue", "stores"],
  partition: [
    "exporter a to API server",
    "exporter b to API server",
    "queue, cut",
    "queue, silent",
    "stores, cut",
    "stores, silent",
  ],
};
