import { describe, expect, it } from "vitest";
import { ExpiryUnguardedError, onRetain } from "../../../functions/events/retain-event.ts";
import { verifyProgress } from "../../../src/archive/verify/verify-progress.ts";
import { NEVER } from "../../../src/ports/expiry/job-expiry.ts";
import type { TableExpiry } from "../../../src/ports/expiry/table-expiry.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { holdKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MemoryJobExpiries } from "../../support/aws/memory-job-expiries.ts";

interface Retained {
  readonly isArchived?: boolean;
  /** Tables that are checked before the one of the log. */
  readonly before?: readonly TableExpiry[];
  /** Writes rules, holds and Jobs. */
  readonly prepare?: (stores: { readonly meta: MetaStore; readonly expiries: MemoryExpiries }) => Promise<void>;
  /** For how many seconds stored Jobs are visited. */
  readonly seconds?: number;
}

interface MemoryExpiries {
  readonly A: MemoryJobExpiries;
  readonly B: MemoryJobExpiries;
}

/** Jobs of a namespace whose retention ends soon, and a legal hold on it. */
async function heldJobs({ meta, expiries }: Parameters<NonNullable<Retained["prepare"]>>[0]): Promise<void> {
  const key = { cluster: clusterNamed("east"), jobUid: jobUid("a") };
  const job = { key, namespace: "shop", name: "a", endedAt: EIGHT, version: 1, state: Uint8Array.of(1) };
  expiries.A.put({ ...job, expiresAt: EIGHT + HOUR });
  const value = { reason: "case", heldAt: "2026-11-21T08:00:00Z" };
  const held = holdKey({ cluster: "east", namespace: "shop" });
  await writeRecord(meta, holdRecord, { key: held, value, expected: 0 });
}

/** The same, and their lists cannot be read. */
async function unreadableJobs(stores: Parameters<typeof heldJobs>[0]): Promise<void> {
  await heldJobs(stores);
  stores.expiries.A.list = () => Promise.reject(new Error("throttled"));
}

async function retained(
  now: number,
  { isArchived = true, before = [], prepare = async () => undefined, seconds }: Retained = {},
) {
  const scene = new PackedScene();
  await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  if (isArchived) {
    await scene.archive(EIGHT + HOUR + 10 * MINUTE);
    await verifyProgress({ store: scene.store, meta: scene.ports.meta });
  }
  let state: "on" | "off" = "off";
  const expiry: TableExpiry = {
    name: "log",
    read: async () => state,
    set: async (wanted) => {
      state = wanted;
      return "set";
    },
  };
  const journal = new FunctionJournal();
  const { meta } = scene.ports;
  const expiries = { A: new MemoryJobExpiries(), B: new MemoryJobExpiries() };
  const runs = new MemoryJobExpiries();
  const stores = { meta, expiries, holds: [legalHolds] };
  await prepare(stores);
  const dependencies = {
    count: journal.count,
    logger: journal.logger,
    ...stores,
    expiries: { A: { jobs: expiries.A, runs }, B: { jobs: expiries.B, runs } },
    tables: [...before, expiry],
    standardDays: 30,
    clock: { now: () => now },
  };
  const run = async (seconds?: number) =>
    (await Promise.allSettled([onRetain(dependencies, { seconds }, journal.context)]))[0];
  return { report: await run(seconds), journal, state: () => state, run, expiries };
}

describe("the retain function", () => {
  it("lets tables expire while the archive has the last hours", async () => {
    const { report, journal } = await retained(EIGHT + 3 * HOUR);
    expect(report).toMatchObject({ value: { mayExpire: true, tables: [{ table: "log", expiry: "on" }] } });
    expect(journal.counts).toMatchObject({ SuspendedExpiries: 0, ArchiveLagSeconds: 7_200 });
  });

  it("keeps everything, and counts it, while the archive is behind", async () => {
    const { report, journal } = await retained(EIGHT + 20 * HOUR);
    expect(report).toMatchObject({ value: { mayExpire: false } });
    expect(journal.counts).toMatchObject({ SuspendedExpiries: 1, ArchiveLagSeconds: 19 * 3_600 });
    expect(journal.lines.join("")).toContain("expired data is kept");
  });

  it("keeps everything, without an alarm, before the first hour is verified", async () => {
    const { report, journal } = await retained(EIGHT + 20 * HOUR, { isArchived: false });
    expect(report).toMatchObject({ value: { mayExpire: false, tables: [{ table: "log", expiry: "off" }] } });
    expect(journal.counts).toEqual({ SuspendedExpiries: 0, RetentionLagSeconds: 0 });
  });

  it("keeps everything, and says why, where the archive was verified until an instant in the future", async () => {
    const { report, journal } = await retained(EIGHT + HOUR - 1);
    expect(report).toMatchObject({ value: { archive: "ahead", mayExpire: false } });
    expect(journal.counts).toMatchObject({ SuspendedExpiries: 1 });
    expect(journal.lines.join("")).toContain("an instant in the future");
  });

  it("fails after it has checked the other tables if one of them refuses", async () => {
    const refusing: TableExpiry = {
      name: "first",
      read: () => Promise.reject(new Error("denied")),
      set: async () => "set",
    };
    const { report, journal, state } = await retained(EIGHT + 3 * HOUR, { before: [refusing] });
    expect(report).toMatchObject({ status: "rejected", reason: expect.any(ExpiryUnguardedError) as unknown });
    expect(report).toMatchObject({ reason: { message: expect.stringContaining("expiry of first.") as unknown } });
    expect(state()).toBe("on");
    expect(journal.counts).toMatchObject({ SuspendedExpiries: 0, ArchiveLagSeconds: 7_200 });
  });

  it("lets stored Jobs follow a hold before tables may expire", async () => {
    const { report, journal, expiries } = await retained(EIGHT + 3 * HOUR, { prepare: heldJobs });
    expect(report).toMatchObject({ value: { mayExpire: true, pending: 0 } });
    expect(expiries.A.jobs.get(jobUid("a"))?.expiresAt).toBe(NEVER);
    expect(journal.counts).toMatchObject({ RetentionLagSeconds: 0 });
  });

  it("keeps everything, without an alarm of the archive, until all Jobs of a hold were visited", async () => {
    const { report, journal, run } = await retained(EIGHT + 3 * HOUR, { prepare: heldJobs, seconds: 0 });
    expect(report).toMatchObject({
      value: { archive: "current", mayExpire: false, pending: 1, tables: [{ expiry: "off" }] },
    });
    expect(journal.counts).toMatchObject({ SuspendedExpiries: 0 });
    expect(await run()).toMatchObject({ value: { mayExpire: true, pending: 0, tables: [{ expiry: "on" }] } });
  });

  it("keeps everything, and fails, where stored Jobs cannot be visited", async () => {
    const { report, state } = await retained(EIGHT + 3 * HOUR, { prepare: unreadableJobs });
    expect(report).toMatchObject({ status: "rejected", reason: { message: "throttled" } });
    expect(state()).toBe("off");
  });
});
