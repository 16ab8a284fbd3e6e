import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import { isJobFact } from "../../../src/job/model/fact.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { AUDITED_AFTER_MS, type AuditRun, auditLog } from "../../../src/upkeep/replay/audit-projection.ts";
import type { Unapplied } from "../../../src/upkeep/replay/audit-segments.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { withOneOwner } from "../../support/facts/with-one-owner.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const retry = { attempts: 3, pause: async () => undefined };

/** SQLite and single log items refuse a conflict when it is appended. */
const onConflicts = async () => expect.fail("a conflict");

function stores() {
  const meta = new MemoryMetaStore();
  const states = { jobs: new MemoryJobStore(), runs: new MemoryJobStore() };
  return { log: new MemoryLog(), meta, ...states, days: new LogDayRegistry(meta) };
}
type Stores = ReturnType<typeof stores>;

async function log(all: Stores, items: readonly LogItem[], at = NOON): Promise<void> {
  for (const { bytes } of items) expect((await ingestSegment(all, bytes, { now: at })).outcome).toBe("appended");
}

async function project(all: Stores, items: readonly LogItem[]): Promise<void> {
  expect((await projectSegments(all, items, retry)).refold).toEqual([]);
}

async function audit(all: Omit<Stores, "meta"> & { readonly meta: MetaStore }, run: AuditRun) {
  const found: Unapplied[] = [];
  const onUnapplied = async (some: readonly Unapplied[]) => void found.push(...some);
  const audited = await auditLog({ ...all, onUnapplied, onConflicts }, run);
  return { ...audited, keys: found.map(({ key }) => key.sk).toSorted((a, b) => (a < b ? -1 : 1)) };
}

function keysOf(items: readonly LogItem[]): readonly string[] {
  return items.map(({ key }) => key.sk);
}

function holdsJobFact({ bytes }: LogItem): boolean {
  const decoded = decodeSegment(bytes);
  return decoded.outcome === "decoded" && decoded.segment.facts.some(isJobFact);
}

const later = NOON + HOUR;

async function queueIsDown(): Promise<never> {
  throw new Error("The queue is down.");
}

describe("an audit of the log", () => {
  it("finds exactly the log items that were not projected, for any facts and batches", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryFact, { minLength: 1, maxLength: 60 }).map(withOneOwner),
        fc.integer({ min: 1, max: 12 }),
        fc.func(fc.boolean()),
        async (facts, size, isFolded) => {
          const all = stores();
          const items = sealInSegments(facts, size, NOON);
          await log(all, items);
          const folded = items.filter((item) => isFolded(item.key.sk));
          await project(all, folded);
          const missing = items.filter((item) => !isFolded(item.key.sk));
          const { keys, segments } = await audit(all, { now: later });
          expect(segments).toBe(items.length);
          for (const key of keys) expect(keysOf(missing)).toContain(key);
          for (const key of keysOf(missing.filter(holdsJobFact))) expect(keys).toContain(key);
          // A fact of a record that another segment says too is in it, whichever brought it.
          await project(all, missing);
          expect((await audit({ ...all, meta: forgettingPositions(all.meta) }, { now: later })).keys).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("finds missing segments of a Job whose segments are in pages", async () => {
    const all = stores();
    const pods = Array.from({ length: 600 }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat();
    const items = sealInSegments([...largeJobFacts({ indexed: false, completions: 600 }), ...pods], 4, NOON);
    expect(items.length).toBeGreaterThan(512);
    await log(all, items, NOON + items.length * 1_000);
    await project(
      all,
      items.filter((_, index) => index % 100 !== 7),
    );
    const { keys } = await audit(all, { now: later });
    expect(keys).toEqual(keysOf(items.filter((_, index) => index % 100 === 7)));
  });

  it("ignores recent items, and checks them in the next run", async () => {
    const all = stores();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 9, seed: 3 }), 3, NOON);
    await log(all, items);
    const [first, second, third] = keysOf(items);
    expect((await audit(all, { now: NOON + AUDITED_AFTER_MS - 1 })).segments).toBe(0);
    expect((await audit(all, { now: NOON + AUDITED_AFTER_MS })).keys).toEqual([first]);
    expect((await audit(all, { now: later })).keys).toEqual([second, third]);
    expect(await audit(all, { now: later })).toMatchObject({ segments: 0, unapplied: 0, isBehind: false });
  });

  it("finds late arrivals before its checkpoint", async () => {
    const all = stores();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 9, seed: 4 }), 3, NOON);
    await log(all, items.slice(2));
    await project(all, items.slice(2));
    expect((await audit(all, { now: later })).keys).toEqual([]);
    await log(all, items.slice(0, 2), later);
    expect((await audit(all, { now: later + HOUR })).keys).toEqual(keysOf(items.slice(0, 2)));
  });

  it("stops without time, reports it, and continues from its checkpoint", async () => {
    const all = stores();
    await log(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 9, seed: 5 }), 3, NOON));
    expect(await audit(all, { now: later, hasTime: () => false })).toMatchObject({ segments: 0, isBehind: true });
    expect(await audit(all, { now: later })).toMatchObject({ segments: 3, unapplied: 3, isBehind: false });
  });

  it("continues with the cluster that was compared least recently, so that none is left out", async () => {
    const all = stores();
    const names = ["a-first", "b-second", "c-third", "d-fourth", "e-fifth", "f-sixth"].map(clusterNamed);
    for (const cluster of names) {
      const facts = fc.sample(arbitraryFact, { numRuns: 1, seed: 7 });
      const { bytes } = sealSegment({ cluster, sealedAt: NOON, session: "0123456789abcdef", sequence: 0, facts });
      expect((await ingestSegment(all, bytes, { now: NOON })).outcome).toBe("appended");
    }
    const audited = new Set<string>();
    const onUnapplied = async (found: readonly Unapplied[]) => {
      for (const { key } of found) audited.add(key.pk.split("#")[0] ?? "");
    };
    const runs: (number | undefined)[] = [];
    for (let run = 0; run < 2; run += 1) {
      let batches = 0;
      const hasTime = () => ++batches <= 4;
      const { auditedUntil } = await auditLog({ ...all, onUnapplied, onConflicts }, { now: later + run, hasTime });
      runs.push(auditedUntil);
    }
    expect(audited).toEqual(new Set(names));
    // The first run leaves clusters that were never compared; the second one begins with them.
    expect(runs[0]).toBe(later - AUDITED_AFTER_MS - 3 * HOUR);
    expect(runs[1]).toBe(later - AUDITED_AFTER_MS);
  });

  it("does not advance past items that were not queued", async () => {
    const all = stores();
    await log(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 3, seed: 6 }), 3, NOON));
    await expect(auditLog({ ...all, onUnapplied: queueIsDown, onConflicts }, { now: later })).rejects.toThrow(
      "The queue is down.",
    );
    expect((await audit(all, { now: later })).unapplied).toBe(1);
  });
});

/** The same records, as if there had been no audit before. */
function forgettingPositions(meta: MetaStore): MetaStore {
  return {
    read: async (kind, key) => (kind === "position" ? undefined : meta.read(kind, key)),
    write: (...args) => meta.write(...args),
    list: (...args) => meta.list(...args),
  };
}
