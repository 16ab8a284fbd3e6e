import { describe, expect, it } from "vitest";
import type { MetaStore } from "../../../src/ports/meta.ts";
import type { Acknowledgement } from "../../../src/ports/records/acknowledgement-record.ts";
import { AcknowledgementConflictError, createAcknowledgementWriter } from "../../../src/query/attention/acknowledge.ts";
import { readAcknowledgements } from "../../../src/query/attention/acknowledgements.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const AT = Date.parse("2026-01-01T00:00:00Z");
const PLACE = { cluster: "east", namespace: "batch", id: "1" };
const ENTRY: Acknowledgement = {
  ...PLACE,
  kind: "LimitReached",
  severity: "failed",
  by: "token 1",
  at: AT,
  until: AT + 1_000,
  note: "Known.",
};

async function inForce(meta: MetaStore, now = AT, cluster?: string) {
  const known = await readAcknowledgements(meta, { now, ...(cluster && { cluster: clusterNamed(cluster) }) });
  return [...known].map(([key, { note, by }]) => `${key} ${note} (${by})`);
}

describe("an acknowledgement", () => {
  it("is in force until it expires", async () => {
    const meta = new MemoryMetaStore();
    await createAcknowledgementWriter(meta).write(ENTRY);
    expect(await inForce(meta)).toEqual(["east#batch#1 Known. (token 1)"]);
    expect(await inForce(meta, AT, "west")).toEqual([]);
    expect(await inForce(meta, AT + 999, "east")).toHaveLength(1);
    expect(await inForce(meta, AT + 1_000)).toEqual([]);
  });

  it("replaces an earlier one of the entry, also a damaged one", async () => {
    const meta = new MemoryMetaStore();
    await meta.write("acknowledgement", "east#batch#1", { value: "{", expected: 0 });
    expect(await inForce(meta)).toEqual([]);
    const writer = createAcknowledgementWriter(meta);
    await writer.write(ENTRY);
    await writer.write({ ...ENTRY, by: "token 2", note: "Mine now." });
    expect(await inForce(meta)).toEqual(["east#batch#1 Mine now. (token 2)"]);
  });

  it("is withdrawn once, by a person who is named, and its note is gone", async () => {
    const meta = new MemoryMetaStore();
    const writer = createAcknowledgementWriter(meta);
    await writer.write(ENTRY);
    const withdrawn = { ...PLACE, by: "token 2", at: AT + 1 };
    expect(await writer.withdraw(withdrawn)).toBe("withdrawn");
    expect(await inForce(meta)).toEqual([]);
    expect((await meta.read("acknowledgement", "east#batch#1"))?.value).toMatch(/"by":"token 2"(?!.*note)/);
    expect(await writer.withdraw(withdrawn)).toBe("absent");
    await writer.write(ENTRY);
    expect(await inForce(meta)).toHaveLength(1);
  });

  it.each([
    ["that never was", { ...PLACE, id: "2", by: "token 1", at: AT }],
    ["that has expired", { ...PLACE, by: "token 1", at: AT + 1_000 }],
  ])("%s cannot be withdrawn", async (_, place) => {
    const meta = new MemoryMetaStore();
    const writer = createAcknowledgementWriter(meta);
    await writer.write(ENTRY);
    expect(await writer.withdraw(place)).toBe("absent");
  });

  it("of several people at once is that of one of them", async () => {
    const meta = new MemoryMetaStore();
    const writer = createAcknowledgementWriter(meta);
    await Promise.all(["a", "b", "c"].map((by) => writer.write({ ...ENTRY, by })));
    expect(await inForce(meta)).toHaveLength(1);
  });

  it.each([
    [1_000, 2],
    [30 * 86_400_000, 31],
  ])("of %i ms is kept by the store for %i days", async (millis, days) => {
    const memory = new MemoryMetaStore();
    const lifetimes: unknown[] = [];
    const meta: MetaStore = {
      read: memory.read.bind(memory),
      list: memory.list.bind(memory),
      write: async (kind, key, record) => {
        lifetimes.push(record.lifetimeDays);
        return memory.write(kind, key, record);
      },
    };
    await createAcknowledgementWriter(meta).write({ ...ENTRY, until: AT + millis });
    expect(lifetimes).toEqual([days]);
  });

  it("fails after five conflicts", async () => {
    const memory = new MemoryMetaStore();
    const meta: MetaStore = {
      read: memory.read.bind(memory),
      list: memory.list.bind(memory),
      write: async () => ({ outcome: "conflict" }),
    };
    await expect(createAcknowledgementWriter(meta).write(ENTRY)).rejects.toThrow(AcknowledgementConflictError);
  });
});
