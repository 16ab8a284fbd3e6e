import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../src/log/ingest-segment.ts";
import { MAX_AGE_MS } from "../../src/ports/segment-queue.ts";
import type { SetAside } from "../../src/ports/records/set-aside-record.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { Story } from "../support/story/story.ts";
import { clusterNamed } from "../support/facts/names.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const cluster = clusterNamed("east");

function ports() {
  const meta = new MemoryMetaStore();
  return { log: new MemoryLog(), meta, days: new LogDayRegistry(meta) };
}

function segmentOf(jobName: string, sealedAt = NOON): Uint8Array {
  const story = new Story(jobName);
  story.jobCreated();
  return sealSegment({ cluster, sealedAt, session: "0123456789abcdef", sequence: 0, facts: story.facts }).bytes;
}

async function setAsides(meta: MemoryMetaStore): Promise<readonly SetAside[]> {
  const { records } = await meta.list("setAside", { prefix: "", limit: 10 });
  return records.map(({ value }) => JSON.parse(value) as SetAside);
}

describe("a sealed segment", () => {
  it("is appended once, and its day is recorded", async () => {
    const stores = ports();
    const first = await ingestSegment(stores, segmentOf("render"), { now: NOON });
    expect(first).toMatchObject({ outcome: "appended", item: { key: { pk: "east#20261121" } } });
    expect(await ingestSegment(stores, segmentOf("render"), { now: NOON })).toMatchObject({ outcome: "duplicate" });
    expect((await stores.log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(1);
    expect((await stores.meta.list("logDay", { prefix: "", limit: 10 })).records.map(({ key }) => key)).toEqual([
      "east#20261121",
    ]);
  });

  it.each([
    ["15 days old", NOON - 15 * 86_400_000, "appended"],
    ["older than 15 days", NOON - 15 * 86_400_000 - 1, "setAside"],
    ["10 minutes ahead", NOON + 600_000, "appended"],
    ["more than 10 minutes ahead", NOON + 600_001, "setAside"],
  ])("%s is %s", async (_, sealedAt, outcome) => {
    expect(await ingestSegment(ports(), segmentOf("render", sealedAt), { now: NOON })).toMatchObject({ outcome });
  });

  it("is not appended if its day cannot be recorded, because a replay would miss it", async () => {
    const { log, meta } = ports();
    const days = { note: () => Promise.reject(new Error("The table is throttled.")) };
    const ingested = ingestSegment({ log, meta, days }, segmentOf("render"), { now: NOON });
    await expect(ingested).rejects.toThrow("The table is throttled.");
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toEqual([]);
  });

  it("that arrives late is noted, also if only its second delivery gets so far", async () => {
    const stores = ports();
    const write = stores.meta.write.bind(stores.meta);
    stores.meta.write = async (kind, key, record) => {
      if (kind === "late") throw new Error("The table is throttled.");
      return write(kind, key, record);
    };
    const late = { now: NOON + 60_000 };
    await expect(ingestSegment(stores, segmentOf("render"), late)).rejects.toThrow("throttled");
    stores.meta.write = write;
    expect(await ingestSegment(stores, segmentOf("render"), late)).toMatchObject({ outcome: "duplicate" });
    expect((await stores.meta.list("late", { prefix: "east#", limit: 9 })).records).toHaveLength(1);
  });

  it("of a recording is appended at any age", async () => {
    const message = segmentOf("render", NOON - 1_000 * MAX_AGE_MS);
    expect(await ingestSegment(ports(), message, { now: NOON, recorded: true })).toMatchObject({ outcome: "appended" });
  });

  it("whose key has other facts is set aside, and the stored one stays", async () => {
    const stores = ports();
    const first = await ingestSegment(stores, segmentOf("render"), { now: NOON });
    const second = segmentOf("another");
    expect(await ingestSegment(stores, second, { now: NOON })).toMatchObject({ outcome: "conflict" });
    expect((await stores.log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toMatchObject([
      "item" in first ? { sha256: first.item.sha256 } : {},
    ]);
    expect(await setAsides(stores.meta)).toMatchObject([{ message: Buffer.from(second).toString("base64") }]);
  });

  it("of a recording whose key has other facts is appended under a name that its content determines", async () => {
    const stores = ports();
    await ingestSegment(stores, segmentOf("render"), { now: NOON });
    const once = await ingestSegment(stores, segmentOf("another"), { now: NOON, recorded: true });
    expect(once).toMatchObject({ outcome: "appended" });
    expect(await ingestSegment(stores, segmentOf("another"), { now: NOON, recorded: true })).toEqual({
      ...once,
      outcome: "duplicate",
    });
    expect(await setAsides(stores.meta)).toEqual([]);
  });
});

describe("bytes that are not a segment", () => {
  it.each([
    ["foreign", Buffer.from('{"hello":"world"}')],
    ["empty", new Uint8Array()],
    ["truncated", segmentOf("render").slice(0, 60)],
    ["of a later release", Uint8Array.from([200, ...segmentOf("render").slice(1)])],
  ])("are set aside once with the reason: %s", async (_, message) => {
    const stores = ports();
    for (let time = 0; time < 2; time += 1) {
      expect(await ingestSegment(stores, message, { now: NOON })).toMatchObject({ outcome: "setAside" });
    }
    const [aside, ...more] = await setAsides(stores.meta);
    expect(more).toEqual([]);
    expect(aside).toMatchObject({ setAsideAt: NOON, message: Buffer.from(message).toString("base64") });
    expect(aside?.reason).toMatch(/\.$/);
  });

  it("are recorded with their size only if they are larger than a record", async () => {
    const stores = ports();
    await ingestSegment(stores, new Uint8Array(250_000), { now: NOON });
    const [aside] = await setAsides(stores.meta);
    expect(aside).toEqual({ reason: aside?.reason, setAsideAt: NOON, bytes: 250_000 });
  });
});
