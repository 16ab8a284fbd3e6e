import { describe, expect, it } from "vitest";
import { clustersNamed, oldestData } from "../../../src/http/mcp/known-clusters.ts";

const EAST = { name: "east", namespaces: [], observedAt: "2026-01-02T00:00:00Z" };
const WEST = { name: "west", namespaces: [], observedAt: "2026-01-01T00:00:00Z" };
const NEW = { name: "new", namespaces: [] };
const ask = async () => ({ outcome: "answered", answer: { items: [EAST, WEST, NEW] } }) as const;

describe("the clusters that tools ask about", () => {
  it("are all, or the one of a name", async () => {
    expect(await clustersNamed(ask, undefined)).toEqual([EAST, WEST, NEW]);
    expect(await clustersNamed(ask, "west")).toEqual([WEST]);
  });

  it("are candidates for a name that none has", async () => {
    await expect(clustersNamed(ask, "prod")).rejects.toMatchObject({
      candidates: [{ cluster: "east" }, { cluster: "west" }, { cluster: "new" }],
    });
  });
});

describe("the time of data from several clusters", () => {
  it("is that of the one whose data is oldest", () => {
    expect(oldestData([EAST, WEST, NEW])).toEqual({ asOf: "2026-01-01T00:00:00Z" });
  });

  it("is absent before the first data", () => {
    expect(oldestData([NEW])).toEqual({});
  });
});
