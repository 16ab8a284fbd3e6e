import { describe, expect, it } from "vitest";
import { listJobParts } from "../../../src/archive/read/job-parts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1);
const cluster = clusterNamed("east");

/** An archive of days, with a part of each cluster. Notes the folders that are listed. */
function archiveOf({ days, clusters }: { readonly days: number; readonly clusters: readonly string[] }) {
  const objects = new Map<string, Uint8Array>();
  for (let day = 0; day < days; day += 1) {
    const dt = new Date(FIRST + day * DAY).toISOString().slice(0, 10);
    for (const name of clusters) objects.set(`jobs/dt=${dt}/cluster=${name}/part-0.parquet`, Buffer.of(day));
  }
  const store = new MemoryObjects(objects);
  const listed: string[] = [];
  const list = (prefix: string) => {
    listed.push(prefix);
    return store.list(prefix);
  };
  return { store: { ...bound(store), list }, listed };
}

function bound(store: MemoryObjects) {
  return {
    name: store.name,
    read: store.read.bind(store),
    putIfAbsent: store.putIfAbsent.bind(store),
    remove: store.remove.bind(store),
  };
}

describe("the parts of a cluster", () => {
  it("are found with one request where there are few", async () => {
    const { store, listed } = archiveOf({ days: 100, clusters: ["east", "west"] });
    const parts = await listJobParts(store, { cluster, now: FIRST + 99 * DAY });
    expect(parts).toHaveLength(100);
    expect(listed).toEqual(["jobs/"]);
  });

  it("are listed day by day where the archive has many of others", async () => {
    const clusters = ["east", ...Array.from({ length: 50 }, (_, n) => `other-${n}`)];
    const { store, listed } = archiveOf({ days: 40, clusters });
    const parts = await listJobParts(store, { cluster, now: FIRST + 39 * DAY });
    expect(parts.map(({ key }) => key)).toEqual(parts.map(({ key }) => key).sort());
    expect(parts).toHaveLength(40);
    expect(parts.every(({ key }) => key.includes("/cluster=east/"))).toBe(true);
    expect(listed).toHaveLength(1 + 40 + 2);
  });

  it("are none where the cluster has no Jobs", async () => {
    const { store } = archiveOf({ days: 3, clusters: ["west"] });
    expect(await listJobParts(store, { cluster, now: FIRST + 3 * DAY })).toEqual([]);
  });
});
