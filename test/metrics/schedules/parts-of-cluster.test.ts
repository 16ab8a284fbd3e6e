import { describe, expect, it } from "vitest";
import { PartsOfCluster } from "../../../src/metrics/schedules/parts-of-cluster.ts";
import { readScheduleParts } from "../../../src/metrics/schedules/schedule-part.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { clusterOf } from "../../support/story/listed-job.ts";

const east = clusterOf("east");
const counted = (uid: string, shown = 1) => ({
  uid,
  namespace: "batch",
  name: uid,
  missed: shown,
  recent: [],
  until: 0,
  shown,
  kinds: [],
  open: [],
});

describe("the counted CronJobs of a cluster", () => {
  it("are in parts by the first digit of their uids, and only parts that change are written", async () => {
    const meta = new MemoryMetaStore();
    const parts = new PartsOfCluster(east, []);
    for (const uid of ["a1", "a2", "b1"]) parts.set(counted(uid));
    expect(await parts.write(meta)).toBe(true);
    const stored = await readScheduleParts(meta, east);
    expect(stored.map(({ key, part }) => [key, part.cronJobs.length])).toEqual([
      ["east#a", 2],
      ["east#b", 1],
    ]);
    const again = new PartsOfCluster(east, stored);
    again.set(counted("a1"));
    again.set(counted("b1", 2));
    expect(again.of("b1")?.shown).toBe(2);
    await again.write(meta);
    expect((await readScheduleParts(meta, east)).map(({ version }) => version)).toEqual([1, 2]);
  });

  it("say so if another process has changed a part", async () => {
    const meta = new MemoryMetaStore();
    const [one, other] = [new PartsOfCluster(east, []), new PartsOfCluster(east, [])];
    one.set(counted("a1"));
    other.set(counted("a1", 2));
    expect([await one.write(meta), await other.write(meta)]).toEqual([true, false]);
  });

  it("are at most 2,000 in a part, so that it fits an item", () => {
    const parts = new PartsOfCluster(east, []);
    for (let n = 0; n <= 2_000; n += 1) parts.set(counted(`a${n}`));
    expect(parts.of("a1999")).toBeDefined();
    expect(parts.of("a2000")).toBeUndefined();
  });
});
