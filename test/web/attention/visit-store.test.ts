import { beforeEach, describe, expect, it, vi } from "vitest";
import { withSeen } from "../../../web/attention/visits.ts";

const stored = new Map<string, string>();

/** The module as a newly opened tab has it, of a page at this path. */
async function openTab(pathname: string) {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal("location", { pathname, hash: "" });
  vi.resetModules();
  return import("../../../web/attention/visit-store.ts");
}

const ENTRY = { id: "a", latestAt: "2026-01-02T00:00:00Z" };

describe("the stored visits", () => {
  beforeEach(() => stored.clear());

  it("keep what another tab stored", async () => {
    const [one, other] = [await openTab("/"), await openTab("/")];
    one.changeVisits((visits) => withSeen(visits, [ENTRY]));
    other.changeVisits((visits) => withSeen(visits, [{ ...ENTRY, id: "b" }]));
    expect(Object.keys(other.visits.value?.seen ?? {}).sort()).toEqual(["a", "b"]);
  });

  it("are apart for each path of a server, such as a stage", async () => {
    (await openTab("/live/")).changeVisits((visits) => withSeen(visits, [ENTRY]));
    const other = await openTab("/test/");
    other.changeVisits((same) => same);
    expect(other.visits.value?.seen).toEqual({});
    expect(stored.size).toBe(2);
  });
});
