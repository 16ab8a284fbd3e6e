import { describe, expect, it } from "vitest";
import { clusterOfRoute, shownFreshness } from "../../../web/clusters/shown-freshness.ts";
import { parseRoute } from "../../../web/shell/route.ts";

const NOON = Date.parse("2026-01-01T12:00:00Z");

function heard(minutesAgo: number) {
  const observedAt = new Date(NOON - minutesAgo * 60_000).toISOString();
  return { name: `heard-${minutesAgo}`, namespaces: [], kubeSystemUid: "u-1", observedAt };
}
const imported = { name: "demo", namespaces: [], observedAt: "2025-01-01T00:00:00Z" };

describe("the shown data", () => {
  it("is live while each cluster was heard of within five minutes", () => {
    expect(shownFreshness([heard(0), heard(5)], NOON)).toEqual({ isLive: true, text: "Live" });
    expect(shownFreshness([heard(0), imported], NOON)).toEqual({ isLive: true, text: "Live" });
  });

  it("is not live while one cluster is silent, although the API answers", () => {
    const shown = [heard(0), heard(6), imported];
    expect(shownFreshness(shown, NOON)).toEqual({ isLive: false, text: "1 of 2 clusters silent" });
  });

  it("says since when the only watched cluster is silent", () => {
    expect(shownFreshness([heard(6), imported], NOON).text).toMatch(/^Silent since (2026-01-01 )?\d\d:\d4:00$/);
    expect(shownFreshness([heard(3 * 1_440)], NOON).text).toMatch(/^Silent since 2025-12-\d\d /);
  });

  it("is not live if nothing is watched", () => {
    expect(shownFreshness([imported], NOON)).toEqual({ isLive: false, text: "Not live: imported" });
    expect(shownFreshness([], NOON)).toEqual({ isLive: false, text: "No cluster" });
  });
});

describe("the cluster of a view", () => {
  it.each([
    ["#/jobs", undefined],
    ["#/jobs?cluster=east", "east"],
    ["#/job/east/default/report", "east"],
    ["#/cronjobs/east/default/hourly", "east"],
    ["#/cronjobs?cluster=east", "east"],
    ["#/clusters", undefined],
  ])("%s is %s", (hash, cluster) => {
    expect(clusterOfRoute(parseRoute(hash))).toBe(cluster);
  });
});
