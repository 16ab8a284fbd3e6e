import { describe, expect, it } from "vitest";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { listErasures } from "../../../src/log/erasure/stored-erasures.ts";
import { itemsWithoutErased, withoutErased } from "../../../src/log/erasure/without-erased.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { storeErasure } from "../../support/erasure/archived-erasure.ts";
import { cluster, NAMES, NAMESPACE, ofNamespace, OTHERS, uidOf } from "../../support/erasure/erasure-scene.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const scope = scopeOf(
  { target: ofNamespace, at: EIGHT + HOUR, by: "alice", reason: "x" },
  { id: "erasure-1", salt: "c2FsdHNhbHRzYWx0c2FsdA" },
);
const facts = [
  ...endedJob({ name: NAMES.job, namespace: NAMESPACE, createdAt: EIGHT }),
  ...endedJob({ name: OTHERS.neighbour, namespace: "zoo", createdAt: EIGHT }),
];
const name = { cluster, sealedAt: EIGHT, session: "0123456789abcdef", sequence: 1 };
const sealed = sealSegment({ ...name, facts });

async function erasedStore(): Promise<MemoryMetaStore> {
  const meta = new MemoryMetaStore();
  await storeErasure(meta, new Erasure(scope));
  return meta;
}

function textOf(bytes: Uint8Array): string {
  return JSON.stringify(decodeSegment(bytes));
}

describe("a message that arrives after an erasure", () => {
  it("is logged without what was erased, under its key and the hash of the original", async () => {
    const [meta, log] = [await erasedStore(), new MemoryLog()];
    const ports = { meta, log, days: new LogDayRegistry(meta) };
    expect(await ingestSegment(ports, sealed.bytes, { now: EIGHT })).toMatchObject({ outcome: "appended" });
    const item = await log.read(sealed.key);
    expect(item?.sha256).toBe(sealed.sha256);
    expect(textOf(item?.bytes ?? Buffer.of())).toContain(OTHERS.neighbour);
    expect(textOf(item?.bytes ?? Buffer.of())).not.toContain(NAMES.job);
    expect(await ingestSegment(ports, sealed.bytes, { now: EIGHT })).toMatchObject({ outcome: "duplicate" });
  });

  it("is set aside without what was erased", async () => {
    const [meta, log] = [await erasedStore(), new MemoryLog()];
    const ports = { meta, log, days: new LogDayRegistry(meta) };
    const now = EIGHT + 1_000 * HOUR;
    expect(await ingestSegment(ports, sealed.bytes, { now })).toMatchObject({ outcome: "setAside" });
    const { records } = await meta.list("setAside", { prefix: "", limit: 2 });
    const { message } = JSON.parse(records[0]?.value ?? "{}") as { readonly message?: string };
    expect(textOf(Buffer.from(message ?? "", "base64"))).not.toContain(NAMES.job);
  });

  it.each([
    ["that the store does not have", { by: ["erasure-2"] }],
    ["of another cluster", { by: [scope.id], cluster: clusterNamed("west") }],
  ])("is not accepted if it claims an erasure %s", async (_, { by, ...other }) => {
    const [meta, log] = [await erasedStore(), new MemoryLog()];
    const claims = sealSegment({ ...name, ...other, facts: [], erased: { sha256: sealed.sha256, facts: 1, by } });
    const ports = { meta, log, days: new LogDayRegistry(meta) };
    expect(await ingestSegment(ports, claims.bytes, { now: EIGHT })).toMatchObject({
      outcome: "setAside",
      reason: "The segment says that facts were erased from it, by an erasure that this stage does not have.",
    });
  });
});

describe("what an erasure learns from a message", () => {
  it("is stored, so that another process recognizes later facts about the Job", async () => {
    const meta = await erasedStore();
    const decoded = decodeSegment(sealed.bytes);
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    expect(await withoutErased(meta, decoded)).toMatchObject({ outcome: "erased" });
    const [stored] = await listErasures(meta);
    expect(stored?.erasure.isErasedJob(cluster, String(uidOf(NAMES.job)))).toBe(true);
    expect(stored?.erasure.isErasedJob(cluster, String(uidOf(OTHERS.neighbour)))).toBe(false);
  });
});

describe("log items", () => {
  const item = { ...sealed };

  it("that were read before an erasure are projected without what was erased", async () => {
    const [left] = await itemsWithoutErased(await erasedStore(), [item]);
    expect(JSON.stringify(left?.segment)).not.toContain(NAMES.job);
    expect(left).toMatchObject({ key: sealed.key, sha256: sealed.sha256 });
  });

  it("of other clusters, or without any erasure, are unchanged", async () => {
    const other = sealSegment({ ...name, cluster: clusterNamed("west"), facts });
    expect(await itemsWithoutErased(await erasedStore(), [other])).toEqual([other]);
    expect(await itemsWithoutErased(new MemoryMetaStore(), [item])).toEqual([item]);
  });

  it("that cannot be read are left to the projector", async () => {
    const unreadable = { ...item, bytes: Uint8Array.of(1) };
    expect(await itemsWithoutErased(await erasedStore(), [unreadable])).toEqual([unreadable]);
    expect(new Erasure(scope).known.size).toBe(0);
  });
});
