import type { AttentionEntry } from "../../../src/query/attention/attention.ts";

/** Failed Jobs of a namespace, unless the test says otherwise. */
export function attentionEntry(said: Partial<AttentionEntry> = {}): AttentionEntry {
  return {
    id: "e-1",
    severity: "failed",
    kind: "LimitReached",
    title: "Limit reached",
    message: "The back-off limit ended the Job.",
    cluster: "east",
    namespace: "batch",
    teams: [],
    jobs: 3,
    otherKinds: {},
    firstAt: "2026-01-01T00:00:00Z",
    latestAt: "2026-01-02T00:00:00Z",
    ...said,
  };
}

export const NIGHTLY = { type: "series", kind: "CronJob", name: "nightly" } as const;
export const NEWEST = { name: "nightly-1", uid: "u-1" };
