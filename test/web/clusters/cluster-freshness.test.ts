import { describe, expect, it } from "vitest";
import { freshnessOf } from "../../../web/clusters/cluster-freshness.ts";

const now = Date.parse("2026-01-01T01:00:00Z");
const watched = { name: "prod", namespaces: [], kubeSystemUid: "u-1", observedAt: "2026-01-01T00:59:00Z" };

describe("the freshness of a cluster", () => {
  it.each([
    ["is fresh if it reported within five minutes", watched, { kind: "fresh", lagMillis: 60_000 }],
    [
      "is not reporting after five minutes",
      { ...watched, observedAt: "2026-01-01T00:54:00Z" },
      { kind: "notReporting", lagMillis: 360_000 },
    ],
    [
      "is fresh if its clock is ahead",
      { ...watched, observedAt: "2026-01-01T01:00:05Z" },
      { kind: "fresh", lagMillis: 0 },
    ],
    [
      "is unknown if it was imported",
      { name: "prod", namespaces: [], observedAt: "2026-01-01T00:00:00Z" },
      { kind: "notWatched" },
    ],
    ["is unknown if nothing was observed", { name: "prod", namespaces: [] }, { kind: "notWatched" }],
  ])("%s", (_, cluster, freshness) => {
    expect(freshnessOf(cluster, now)).toEqual(freshness);
  });
});
