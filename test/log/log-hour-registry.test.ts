import { describe, expect, it } from "vitest";
import { LogHourRegistry } from "../../src/log/log-hour-registry.ts";
import { logHours } from "../../src/log/read-log.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

describe("the hours of the log", () => {
  it("are in order of time, then of shards, and continue after a given hour", async () => {
    const meta = new MemoryMetaStore();
    const registry = new LogHourRegistry(meta);
    for (const hour of ["2026112123", "2026112122", "2026112200"]) {
      for (const shard of [10, 2]) await registry.note({ shard, hour });
    }
    const all = await collect(logHours(meta));
    expect(all.map(({ shard, hour }) => `${hour} ${shard}`)).toEqual([
      "2026112122 2",
      "2026112122 10",
      "2026112123 2",
      "2026112123 10",
      "2026112200 2",
      "2026112200 10",
    ]);
    expect(await collect(logHours(meta, { shard: 2, hour: "2026112123" }))).toEqual(all.slice(3));
  });

  it("are read once by one instance, and written once", async () => {
    const meta = new MemoryMetaStore();
    const calls: string[] = [];
    const read = meta.read.bind(meta);
    meta.read = async (kind, key) => {
      calls.push(key);
      return read(kind, key);
    };
    const registry = new LogHourRegistry(meta);
    for (let time = 0; time < 3; time += 1) await registry.note({ shard: 1, hour: "2026112122" });
    await new LogHourRegistry(meta).note({ shard: 1, hour: "2026112122" });
    expect(calls).toEqual(["2026112122#01", "2026112122#01"]);
    expect((await meta.read("logHour", "2026112122#01"))?.version).toBe(1);
  });
});
