import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { appendPacked } from "../../src/log/append-packed.ts";
import { LogHourRegistry } from "../../src/log/log-hour-registry.ts";
import { isLogged, logDays, readWholeDay } from "../../src/log/read-log.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../support/stores/memory-packs.ts";
import { openedSegment } from "../support/stores/sealed-segments.ts";

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

const NOON = Date.UTC(2026, 10, 21, 12);

describe("a segment", () => {
  it("is in the log once a pack has it, and from the time of its arrival on", async () => {
    const [log, meta] = [new MemoryPackedLog(), new MemoryMetaStore()];
    const packer = { packs: log.packs, hours: new LogHourRegistry(meta), shards: 4, now: () => NOON };
    const [packed, other] = [openedSegment(1), openedSegment(2)];
    await appendPacked(packer, [{ item: packed, isAlone: false }]);
    expect(await isLogged({ log, meta }, packed.key, NOON - 60_000)).toBe(true);
    expect(await isLogged({ log, meta }, other.key, NOON - 60_000)).toBe(false);
    expect(await isLogged({ log, meta }, packed.key, NOON + 60_000)).toBe(false);
  });

  it("is in the log as an item of its own", async () => {
    const [log, meta] = [new MemoryLog(), new MemoryMetaStore()];
    const item = openedSegment(1);
    await log.append(item);
    expect(await isLogged({ log, meta }, item.key, NOON)).toBe(true);
  });
});
