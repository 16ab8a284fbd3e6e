import { describe, expect, it } from "vitest";
import { PartsOfCluster } from "../../../../src/count/metrics/schedules/parts-of-cluster.ts";
import { readScheduleParts } from "../../../../src/count/metrics/schedules/schedule-part.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { clusterOf } from "../../../support/story/listed-job.ts";

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

  it("are at most 2,000 in a part, so that it fits an item; more are in parts by two digits", async () => {
    const meta = new MemoryMetaStore();
    const parts = new PartsOfCluster(east, []);
    const uids = Array.from({ length: 2_100 }, (_, n) => `a${n % 2}${n}`);
    for (const uid of uids) parts.set(counted(uid));
    await parts.write(meta);
    const stored = await readScheduleParts(meta, east);
    expect(stored.map(({ key, part }) => [key, part.cronJobs.length])).toEqual([
      ["east#a", 2_000],
      ["east#a0", 50],
      ["east#a1", 50],
    ]);
    const again = new PartsOfCluster(east, stored);
    for (const uid of uids) again.set(counted(uid, 2));
    await again.write(meta);
    const changed = await readScheduleParts(meta, east);
    expect(changed.map(({ part }) => part.cronJobs.length)).toEqual([2_000, 50, 50]);
    expect(changed.every(({ part }) => part.cronJobs.every(({ shown }) => shown === 2))).toBe(true);
  });

  it("stay in their part when others leave", async () => {
    const meta = new MemoryMetaStore();
    const parts = new PartsOfCluster(east, []);
    for (let n = 0; n <= 2_000; n += 1) parts.set(counted(`a${n}`));
    await parts.write(meta);
    const again = new PartsOfCluster(east, await readScheduleParts(meta, east));
    again.end([], 0);
    again.set(counted("a2000", 5));
    await again.write(meta);
    const stored = await readScheduleParts(meta, east);
    expect(stored.map(({ key, part }) => [key, part.cronJobs.map(({ uid, shown }) => [uid, shown])])).toEqual([
      ["east#a", []],
      ["east#a2", [["a2000", 5]]],
    ]);
  });
});
