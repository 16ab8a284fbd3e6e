import { describe, expect, it } from "vitest";
import type { ClusterAnswer } from "../../../src/query/clusters/clusters.ts";
import { fleetText, fleetTiles, freshnessText, tileText } from "../../../web/clusters/fleet.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

function cluster(name: string, heardHoursAgo: number, isImported = false): ClusterAnswer {
  return { name, namespaces: [], observedAt: ago(heardHoursAgo), ...(!isImported && { kubeSystemUid: name }) };
}

function gap(of: string, from: number, to: number) {
  return { cluster: of, from: ago(from), to: ago(to), resources: ["jobs"], reason: "watch closed" };
}

const FLEET = {
  clusters: [
    cluster("a", 0),
    cluster("b", 2),
    cluster("c", 0),
    cluster("d", 5),
    cluster("e", 0),
    cluster("f", 9, true),
  ],
  gaps: [gap("c", 7, 6), gap("c", 30, 23), gap("e", 60, 50)],
  jobs: [{ key: "c", byState: { Failed: 3, Complete: 1 }, attention: 4 }],
  now: NOW,
};

describe("the tiles of a fleet", () => {
  const tiles = fleetTiles(FLEET);
  const tileOf = (name: string) => tiles.find((tile) => tile.name === name);

  it("begin with the longest silence, then gaps of the last day, then names; imported clusters are last", () => {
    expect(tiles.map(({ name }) => name)).toEqual(["d", "b", "c", "a", "e", "f"]);
  });

  it("show what was not observed in the last day, as shares of it", () => {
    const rounded = tileOf("c")?.blind.map(({ from, to }) => [Math.round(from * 24), Math.round(to * 24)]);
    expect(rounded).toEqual([
      [0, 1],
      [17, 18],
    ]);
    expect(tileOf("d")?.blind.map(({ from, to }) => [Math.round(from * 24), to])).toEqual([[19, 1]]);
    expect(tileOf("e")).toMatchObject({ gaps: 0, blind: [] });
  });

  it("count failed Jobs, which are not known before they were read", () => {
    expect(tileOf("c")).toMatchObject({ failed: 3, withFindings: 4 });
    expect(tileOf("a")?.failed).toBe(0);
    expect(fleetTiles({ ...FLEET, jobs: undefined })[0]?.failed).toBeUndefined();
  });

  it("have the same in words", () => {
    expect(tiles.map(({ freshness }) => freshnessText(freshness))).toEqual([
      "silent 5h",
      "silent 120m",
      "lag 0s",
      "lag 0s",
      "lag 0s",
      "imported",
    ]);
    const texts = new Map(tiles.map((tile) => [tile.name, tileText(tile)]));
    expect(texts.get("c")).toBe("3 failed, 4 with findings, 2 monitoring gaps in the last 24 hours");
    expect(texts.get("a")).toBe("0 failed, 0 with findings in the last 24 hours");
    expect(fleetTiles({ ...FLEET, jobs: undefined }).map(tileText)[0]).toBe("failures not known in the last 24 hours");
    expect(fleetText(tiles)).toBe("2 silent, 1 with gaps, 1 with failed Jobs (✕) in the last 24 hours.");
  });
});
