import { describe, expect, it } from "vitest";
import { noteLateArrival } from "../../src/log/note-late-arrival.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const SEALED = Date.UTC(2026, 10, 21, 12);
const name = { cluster: clusterNamed("east"), sealedAt: SEALED, session: "0123456789abcdef", sequence: 7 };

describe("a late arrival", () => {
  it("is recorded by the time of its arrival, with the key of the segment", async () => {
    const meta = new MemoryMetaStore();
    await noteLateArrival(meta, name, SEALED + 60_000);
    const { records } = await meta.list("late", { prefix: "", limit: 9 });
    expect(records.map(({ key }) => key)).toEqual([
      "east#2026-11-21T12:01:00.000Z#2026-11-21T12:00:00.000Z#0123456789abcdef#0000000007",
    ]);
  });

  it("is recorded once for a segment that is delivered twice", async () => {
    const meta = new MemoryMetaStore();
    await noteLateArrival(meta, name, SEALED + 60_000);
    await noteLateArrival(meta, name, SEALED + 60_000);
    expect(meta.contents()).toHaveLength(1);
  });

  it.each([0, 5_000])("is none %i ms after the sealing", async (millis) => {
    const meta = new MemoryMetaStore();
    await noteLateArrival(meta, name, SEALED + millis);
    expect(meta.contents()).toEqual([]);
  });

  it("that cannot be recorded fails the message, so that it is delivered again", async () => {
    const meta = new MemoryMetaStore();
    meta.write = async () => Promise.reject(new Error("The table is throttled."));
    await expect(noteLateArrival(meta, name, SEALED + 60_000)).rejects.toThrow("The table is throttled.");
  });
});
