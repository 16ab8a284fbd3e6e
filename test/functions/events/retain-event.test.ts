import { describe, expect, it } from "vitest";
import { ExpiryUnguardedError, onRetain } from "../../../functions/events/retain-event.ts";
import { verifyProgress } from "../../../src/archive/verify/verify-progress.ts";
import type { TableExpiry } from "../../../src/ports/expiry/table-expiry.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { MemoryJobExpiries } from "../../support/aws/memory-job-expiries.ts";

interface Retained {
  readonly isArchived?: boolean;
  /** Tables that are checked before the one of the log. */
  readonly before?: readonly TableExpiry[];
}

async function retained(now: number, { isArchived = true, before = [] }: Retained = {}) {
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
  const dependencies = {
    count: journal.count,
    logger: journal.logger,
    meta: scene.ports.meta,
    tables: [...before, expiry],
    expiries: { A: new MemoryJobExpiries(), B: new MemoryJobExpiries() },
    standardDays: 30,
    clock: { now: () => now },
  };
  const [report] = await Promise.allSettled([onRetain(dependencies, {}, journal.context)]);
  return { report, journal, state };
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
    expect(state).toBe("on");
    expect(journal.counts).toMatchObject({ SuspendedExpiries: 0, ArchiveLagSeconds: 7_200 });
  });
});
