import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../src/ingest/log-day-registry.ts";
import { logDays, readWholeDay } from "../../src/replay/read-log.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const east = clusterNamed("east");

describe("the days of the log", () => {
  it("are in order within each cluster, and continue after a given day", async () => {
    const meta = new MemoryMetaStore();
    const days = new LogDayRegistry(meta);
    const west = clusterNamed("west");
    for (const day of ["20261122", "20261121"]) {
      for (const cluster of [west, east]) await days.note({ cluster, day });
    }
    const all = await collect(logDays(meta));
    expect(all.map(({ cluster, day }) => `${cluster} ${day}`)).toEqual([
      "east 20261121",
      "east 20261122",
      "west 20261121",
      "west 20261122",
    ]);
    expect(await collect(logDays(meta, { cluster: east, day: "20261122" }))).toEqual(all.slice(2));
  });
});

describe("the items of a day", () => {
  it.each([0, 1, 32, 33, 64, 65])("are each read once, in order: %i items", async (size) => {
    const log = new MemoryLog();
    const keys = Array.from({ length: size }, (_, n) => ({ pk: "east#20261121", sk: `${n}`.padStart(3, "0") }));
    for (const key of keys.toReversed()) {
      await log.append({ key, bytes: Uint8Array.of(1), sha256: key.sk, factCount: 1 });
    }
    const read = async (after?: (typeof keys)[number]) =>
      (await collect(readWholeDay(log, { cluster: east, day: "20261121" }, after))).flat();
    expect((await read()).map(({ key }) => key)).toEqual(keys);
    const [first, ...rest] = keys;
    if (first !== undefined) expect((await read(first)).map(({ key }) => key)).toEqual(rest);
  });
});
