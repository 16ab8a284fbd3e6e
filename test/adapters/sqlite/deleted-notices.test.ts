import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OutboxPorts, updateOutbox } from "../../../src/notify/outbox/update-outbox.ts";
import { listRecords } from "../../../src/ports/list-records.ts";
import type { Database } from "../../../src/adapters/sqlite/database.ts";
import { applyRetention } from "../../../src/adapters/sqlite/apply-retention.ts";
import { createSqliteDueSubjects } from "../../../src/adapters/sqlite/sqlite-due-subjects.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../../../src/adapters/sqlite/sqlite-projections.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
/** Jobs are kept for ten days, and the log for 30 more. */
const LOG_ENDS = NOW - 40 * DAY;

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

/** A message about a subject, which was added at an instant and settled then. */
async function message(subject: string, at: number, outcome?: "delivered" | "dead"): Promise<void> {
  const ports: OutboxPorts = {
    meta: createSqliteMetaStore(database),
    retry: { attempts: 1, pause: async () => {} },
    now: () => at,
  };
  const key = `${subject}/1/rule/hook`;
  await updateOutbox(ports, subject, (outbox) => {
    outbox.write({ version: 1, condition: "c", open: {} });
    outbox.add([{ key, receiver: "hook", subject, nextAt: at, group: "g", value: "{}" }], at);
    if (outcome === "delivered") outbox.settle(key, { outcome }, at);
    if (outcome === "dead") outbox.settle(key, { outcome, problem: "gone" }, at);
  });
}

/** The subjects of which is known after retention what rules matched. */
async function kept(): Promise<readonly string[]> {
  await applyRetention(database, { jobDays: 10, now: NOW });
  const subjects: string[] = [];
  const meta = createSqliteMetaStore(database);
  for await (const { key } of listRecords(meta, "notice", { prefix: "" })) subjects.push(key);
  return subjects;
}

describe("what rules matched about a Job that is deleted", () => {
  it("is deleted with the log, and then the number of messages about erased data", async () => {
    await storeJob();
    for (const subject of ["east#Job#gone", "east#Job#stored", "east#CronJob#c1", "east#erased#e1#h"]) {
      await message(subject, LOG_ENDS - 1, "delivered");
    }
    expect(await kept()).toEqual(["east#CronJob#c1", "east#Job#stored"]);
  });

  it("stays while the log may have the facts of the Job, and while messages wait", async () => {
    await message("east#Job#gone", LOG_ENDS + DAY, "dead");
    await message("east#Job#waiting", LOG_ENDS - DAY);
    expect(await kept()).toEqual(["east#Job#gone", "east#Job#waiting"]);
    const due = createSqliteDueSubjects(database).due("hook", { now: NOW, limit: 10 });
    expect(await due).toEqual(["east#Job#waiting"]);
  });
});
