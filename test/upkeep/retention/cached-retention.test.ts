import { describe, expect, it } from "vitest";
import { holdKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { cachedRetention, RULES_MAX_AGE_MS } from "../../../src/upkeep/retention/cached-retention.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { retentionRecord } from "../../../src/ports/expiry/retention-record.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const job = { cluster: "east", namespace: "shop", name: "report" };
const at = "2026-11-21T08:00:00Z";

describe("the rules that writers of Jobs use", () => {
  it("are the setting where there are none, and at most a minute old", async () => {
    const meta = new MemoryMetaStore();
    let now = 0;
    const read = cachedRetention({ meta, holds: [legalHolds] }, 30, () => now);
    expect((await read()).daysOf("east", "shop")).toBe(30);
    const key = retentionKey(clusterNamed("east"), "shop");
    await writeRecord(meta, retentionRecord, { key, value: { days: 400, setAt: at }, expected: 0 });
    await writeRecord(meta, holdRecord, { key: holdKey(job), value: { reason: "x", heldAt: at }, expected: 0 });
    now = RULES_MAX_AGE_MS - 1;
    expect((await read()).holdOn(job)).toBeUndefined();
    now = RULES_MAX_AGE_MS;
    expect((await read()).daysOf("east", "shop")).toBe(400);
    expect((await read()).holdOn(job)).toMatchObject({ reason: "x" });
  });

  it("are read once for concurrent writers", async () => {
    const meta = new MemoryMetaStore();
    const list = meta.list.bind(meta);
    let requests = 0;
    meta.list = (kind, options) => {
      requests += 1;
      return list(kind, options);
    };
    const read = cachedRetention({ meta, holds: [legalHolds] }, 30, () => 0);
    await Promise.all([read(), read(), read()]);
    expect(requests).toBe(2);
  });

  it("are asked for again after an outage", async () => {
    const meta = new MemoryMetaStore();
    const list = meta.list.bind(meta);
    meta.list = () => Promise.reject(new Error("unavailable"));
    const read = cachedRetention({ meta, holds: [legalHolds] }, 30, () => 0);
    await expect(read()).rejects.toThrow("unavailable");
    meta.list = list;
    expect((await read()).daysOf("east", "shop")).toBe(30);
  });
});
