import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobRow } from "../../../src/ports/job-row.ts";
import { gapKey, hintsKey, lateKey, logDayKey } from "../../../src/ports/meta-key.ts";
import type { Database } from "../../../src/adapters/sqlite/database.ts";
import { applyRetention } from "../../../src/adapters/sqlite/apply-retention.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../../../src/adapters/sqlite/sqlite-projections.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const east = clusterNamed("east");
const tenDays = { jobDays: 10, now: NOW };

let scratch: ScratchDatabases;
let database: Database;
beforeEach(() => {
  scratch = new ScratchDatabases();
  database = scratch.open(scratch.newPath());
});
afterEach(() => scratch.clear());

async function writeJob(
  id: string,
  job: { readonly createdDaysAgo: number; readonly phase: "A" | "F"; readonly finishedDaysAgo?: number },
) {
  const createdAt = NOW - job.createdDaysAgo * DAY;
  const { phase, finishedDaysAgo } = job;
  const row: JobRow = {
    namespace: "batch",
    name: id,
    createdAt,
    phase,
    attention: false,
    ...(finishedDaysAgo !== undefined && { endedAt: NOW - finishedDaysAgo * DAY }),
    summary: Uint8Array.of(1),
  };
  const store = createSqliteProjections(database).open("A");
  await store.write({ cluster: east, jobUid: jobUid(id) }, { bytes: Uint8Array.of(1), row }, 0);
  await store.writePage({ cluster: east, jobUid: jobUid(id) }, "00", Uint8Array.of(1));
}

async function writeRecords(daysAgo: number): Promise<void> {
  const meta = createSqliteMetaStore(database);
  const to = NOW - daysAgo * DAY;
  await meta.write("gap", gapKey(east, "g"), {
    value: JSON.stringify({ kind: "GapRecorded", from: to - 1, to }),
    expected: 0,
  });
  const target = { kind: "Pod", namespace: "batch", name: "p" } as const;
  await meta.write("hints", hintsKey(east, target), {
    value: JSON.stringify({ hints: [{ at: 0 }, { at: to }] }),
    expected: 0,
  });
  await meta.write("gap", gapKey(clusterNamed("east-2"), "g"), {
    value: JSON.stringify({ from: NOW - 1, to: NOW }),
    expected: 0,
  });
}

async function hasJob(id: string): Promise<boolean> {
  const store = createSqliteProjections(database).open("A");
  const key = { cluster: east, jobUid: jobUid(id) };
  const [state, page] = [await store.read(key), await store.readPage(key, "00")];
  expect(state === undefined).toBe(page === undefined);
  return state !== undefined;
}

describe("retention of Jobs", () => {
  it.each([
    [
      "that finished long ago is deleted with its pages",
      { createdDaysAgo: 12, phase: "F", finishedDaysAgo: 11 },
      false,
    ],
    [
      "that finished recently stays, also after a long run",
      { createdDaysAgo: 400, phase: "F", finishedDaysAgo: 9 },
      true,
    ],
    ["that is live stays at any age", { createdDaysAgo: 400, phase: "A" }, true],
    ["without a known end expires by its creation", { createdDaysAgo: 11, phase: "F" }, false],
  ] as const)("a Job %s", async (_, job, stays) => {
    await writeJob("a", job);
    expect((await applyRetention(database, tenDays)).jobs).toBe(stays ? 0 : 1);
    expect(await hasJob("a")).toBe(stays);
  });

  it("deletes more Jobs than one transaction contains", async () => {
    await database.inTransaction(async () => {
      for (let id = 0; id < 1001; id += 1) {
        await writeJob(`old-${id}`, { createdDaysAgo: 30, phase: "F", finishedDaysAgo: 20 });
      }
    });
    expect((await applyRetention(database, tenDays)).jobs).toBe(1001);
  });
});

describe("retention of the log", () => {
  it.each([
    ["20261012", 40, true],
    ["20261011", 41, false],
  ])("day %s, %i days ago, with Jobs kept for 10 days", async (day, _, stays) => {
    const log = createSqliteLog(database);
    const meta = createSqliteMetaStore(database);
    await meta.write("logDay", logDayKey(east, day), { value: "{}", expected: 0 });
    await log.append({ key: { pk: `east#${day}`, sk: "1" }, bytes: Uint8Array.of(1), sha256: "1", factCount: 1 });
    expect((await applyRetention(database, tenDays)).logItems).toBe(stays ? 0 : 1);
    expect((await log.readDay({ cluster: east, day }, { limit: 9 })).items.length).toBe(stays ? 1 : 0);
    expect((await meta.read("logDay", logDayKey(east, day))) !== undefined).toBe(stays);
  });
});

describe("retention of late arrivals", () => {
  it("keeps their records as long as the log", async () => {
    const meta = createSqliteMetaStore(database);
    for (const daysAgo of [41, 39]) {
      await meta.write("late", lateKey(east, NOW - daysAgo * DAY, "sk"), { value: "{}", expected: 0 });
    }
    await meta.write("late", lateKey(clusterNamed("east-2"), NOW, "sk"), { value: "{}", expected: 0 });
    expect((await applyRetention(database, tenDays)).records).toBe(1);
    const left = [east, clusterNamed("east-2")].map((cluster) =>
      meta.list("late", { prefix: `${cluster}#`, limit: 9 }),
    );
    expect((await Promise.all(left)).map(({ records }) => records.length)).toEqual([1, 1]);
  });
});

describe("retention of gaps and hints", () => {
  it.each([
    ["are deleted if no Job is as old", 20, [], 2],
    ["stay while an older Job is live", 20, [21], 0],
    ["are deleted if every remaining Job is younger", 20, [19], 2],
    ["stay until they expire themselves", 9, [], 0],
  ])("%s", async (_, daysAgo, liveJobs, deleted) => {
    await writeRecords(daysAgo);
    for (const createdDaysAgo of liveJobs) await writeJob(`live-${createdDaysAgo}`, { createdDaysAgo, phase: "A" });
    expect((await applyRetention(database, tenDays)).records).toBe(deleted);
  });
});
