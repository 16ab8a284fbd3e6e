import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { countedStore } from "../support/stores/counted-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const day = { cluster: clusterNamed("east"), day: "20261121" };

describe("the days of a log", () => {
  it("are each written once, also by several processes", async () => {
    const requests: string[] = [];
    const meta = countedStore(new MemoryMetaStore(), requests);
    await new LogDayRegistry(meta).note(day);
    await new LogDayRegistry(meta).note(day);
    expect(requests.filter((request) => request === "write")).toHaveLength(1);
    await new LogDayRegistry(meta).note({ ...day, day: "20261122" });
    const { records } = await meta.list("logDay", { prefix: "east#", limit: 9 });
    expect(records.map(({ key }) => key)).toEqual(["east#20261121", "east#20261122"]);
  });

  it("are asked for once by one process", async () => {
    const requests: string[] = [];
    const registry = new LogDayRegistry(countedStore(new MemoryMetaStore(), requests));
    await registry.note(day);
    requests.length = 0;
    await registry.note(day);
    expect(requests).toEqual([]);
  });
});
