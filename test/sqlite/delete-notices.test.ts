import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/sqlite/database.ts";
import { applyRetention } from "../../src/sqlite/apply-retention.ts";
import { createSqliteNoticeStore } from "../../src/sqlite/sqlite-notice-store.ts";
import { createSqliteProjections } from "../../src/sqlite/sqlite-projections.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
/** Jobs are kept for ten days, and the log for 30 more. */
const LOG_ENDS = NOW - 40 * DAY;
const SUBJECTS = ["east#Job#gone", "east#Job#stored", "east#CronJob#c1"] as const;

let scratch: ScratchDatabases;
let database: Database;
beforeEach(() => {
  scratch = new ScratchDatabases();
  database = scratch.open(scratch.newPath());
});
afterEach(() => scratch.clear());

async function storeJob(): Promise<void> {
  const row = {
    namespace: "batch",
    name: "stored",
    createdAt: NOW,
    phase: "A",
    attention: false,
    summary: Uint8Array.of(1),
  } as const;
  const key = { cluster: clusterNamed("east"), jobUid: jobUid("stored") };
  await createSqliteProjections(database)
    .open("B")
    .write(key, { bytes: Uint8Array.of(1), row }, 0);
}

async function message(subject: string, at: number, outcome?: "delivered" | "dead"): Promise<void> {
  const notices = createSqliteNoticeStore(database);
  const key = `${subject}/1/rule/hook`;
  await notices.write(subject, { version: 1, condition: "c", open: {} });
  await notices.add([{ key, receiver: "hook", subject, nextAt: at, group: "g", value: "{}" }], at);
  if (outcome === "delivered") await notices.settle([key], { outcome }, at);
  if (outcome === "dead") await notices.settle([key], { outcome, problem: "gone" }, at);
}

/** The numbers of messages after retention, and the subjects about which notices are still stored. */
async function kept() {
  await applyRetention(database, { jobDays: 10, now: NOW });
  const notices = createSqliteNoticeStore(database);
  const [receiver] = await notices.status();
  const { waiting = 0, delivered = 0, dead = 0 } = receiver ?? {};
  const known = await Promise.all(SUBJECTS.map(async (subject) => [subject, await notices.read(subject)] as const));
  return { waiting, delivered, dead, known: known.flatMap(([subject, record]) => (record ? [subject] : [])) };
}

describe("messages of notifications", () => {
  it("are deleted with the log, and then what rules matched about Jobs that are deleted", async () => {
    await storeJob();
    for (const subject of SUBJECTS) await message(subject, LOG_ENDS - 1, "delivered");
    expect(await kept()).toEqual({
      waiting: 0,
      delivered: 0,
      dead: 0,
      known: ["east#Job#stored", "east#CronJob#c1"],
    });
  });

  it("stay while the log may have the facts of their Jobs, and while they wait", async () => {
    await message("east#Job#gone", LOG_ENDS + DAY, "dead");
    await message("east#CronJob#c1", LOG_ENDS - DAY);
    expect(await kept()).toEqual({
      waiting: 1,
      delivered: 0,
      dead: 1,
      known: ["east#Job#gone", "east#CronJob#c1"],
    });
  });
});
