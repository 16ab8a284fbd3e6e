import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveDatabase } from "../../../src/host/embedded/archive-database.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { gapKey, hintsKey, holdKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { holdRecord } from "../../../src/upkeep/holds/legal-holds.ts";
import { retentionRecord } from "../../../src/ports/expiry/retention-record.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { logDays } from "../../../src/log/read-log.ts";
import { EIGHT, endedJob, HOUR, MINUTE, stampAt, startedJob } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const DAY = 24 * HOUR;
const NOW = EIGHT + 100 * DAY;
const cluster = clusterNamed("east");
const at = "2026-11-21T08:00:00Z";
let folder: string;
let embedded: Embedded;
let archive: MemoryObjects;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-forget-"));
  embedded = openEmbedded(join(folder, "database.sqlite"));
  archive = new MemoryObjects();
  // A recording without arrival times: its import makes a segment of its own per call.
  for (const [day, namespace] of ["shop", "bank"].entries()) {
    const createdAt = EIGHT + day * DAY;
    const facts = endedJob({ name: `job-${namespace}`, createdAt, namespace });
    await embedded.importFacts(once(facts), { cluster, now: createdAt + HOUR });
  }
  await embedded.sweep({ now: EIGHT + 5 * DAY });
});
afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true, force: true });
});

async function* once(facts: readonly Fact[]) {
  yield facts;
}

async function daysOfLog(): Promise<readonly string[]> {
  const days: string[] = [];
  for await (const { day } of logDays(embedded.meta)) days.push(day);
  return days;
}

describe("expired Jobs and their log", () => {
  it("are deleted, if there is no archive", async () => {
    expect(await embedded.forget({ days: 30, now: NOW })).toMatchObject({ jobs: 2, kept: { jobs: 0, days: 0 } });
    expect(await daysOfLog()).toEqual([]);
  });

  it("are kept as long as a Job is stored that has facts in them", async () => {
    await embedded.importFacts(once(startedJob({ name: "long", createdAt: EIGHT })), { cluster, now: EIGHT + HOUR });
    expect(await embedded.forget({ days: 30, now: NOW })).toMatchObject({ jobs: 2, kept: { days: 1 } });
    expect(await daysOfLog()).toEqual(["20261121"]);
    await embedded.replay();
    expect((await embedded.verify()).jobs).toBe(1);
  });

  it("are kept until they are archived", async () => {
    const options = { days: 30, now: NOW, archive };
    expect(await embedded.forget(options)).toMatchObject({ jobs: 0, logItems: 0, kept: { jobs: 2, days: 2 } });
    await archiveDatabase(embedded, archive, { now: EIGHT + 12 * HOUR });
    expect(await embedded.forget(options)).toMatchObject({ jobs: 1, kept: { jobs: 1, days: 1 } });
    expect(await daysOfLog()).toEqual(["20261122"]);
    await archiveDatabase(embedded, archive, { now: EIGHT + 3 * DAY });
    expect(await embedded.forget(options)).toMatchObject({ jobs: 1, kept: { jobs: 0, days: 0 } });
  });

  it("are kept if they were added to an hour that was archived before it was closed", async () => {
    const now = EIGHT + HOUR + 10 * MINUTE;
    await archiveDatabase(embedded, archive, { now, untilNow: true });
    const facts = endedJob({ name: "job-added", createdAt: EIGHT, namespace: "shop" });
    await embedded.importFacts(once(facts), { cluster, now: now + MINUTE });
    await embedded.sweep({ now: EIGHT + 5 * DAY });
    const options = { days: 30, now: NOW, archive };
    expect(await embedded.forget(options)).toMatchObject({ jobs: 0, logItems: 0 });
    await archiveDatabase(embedded, archive, { now: EIGHT + 3 * DAY });
    expect(await embedded.forget(options)).toMatchObject({ jobs: 3, kept: { jobs: 0, days: 0 } });
  });

  it("are kept while their hour is not closed, though it is archived", async () => {
    const now = EIGHT + DAY + HOUR + 10 * MINUTE;
    await archiveDatabase(embedded, archive, { now, untilNow: true });
    expect(await embedded.forget({ days: 1 / 24, now, archive })).toMatchObject({ jobs: 1, kept: { jobs: 1 } });
  });

  it("are kept if the archive has a damaged object", async () => {
    await archiveDatabase(embedded, archive, { now: EIGHT + 3 * DAY });
    const key = archive.keys.find((one) => one.startsWith("segments/")) ?? "";
    archive.objects.set(key, Buffer.from("x"));
    await expect(embedded.forget({ days: 30, now: NOW, archive })).rejects.toThrow("Cannot verify archive");
    expect(await daysOfLog()).toHaveLength(2);
  });

  it("are kept under a legal hold, with their days of the log", async () => {
    const value = { reason: "case", heldAt: at };
    const key = holdKey({ cluster, namespace: "shop" });
    await writeRecord(embedded.meta, holdRecord, { key, value, expected: 0 });
    expect(await embedded.forget({ days: 30, now: NOW })).toMatchObject({ jobs: 1, kept: { jobs: 1, days: 1 } });
    expect(await daysOfLog()).toEqual(["20261121"]);
    const released = { ...value, releasedAt: at };
    await writeRecord(embedded.meta, holdRecord, { key, value: released, expected: 1 });
    expect(await embedded.forget({ days: 30, now: NOW })).toMatchObject({ jobs: 1, kept: { jobs: 0, days: 0 } });
  });

  it("are kept as long as their namespace says, and the log of the cluster with them", async () => {
    const key = retentionKey(cluster, "shop");
    await writeRecord(embedded.meta, retentionRecord, { key, value: { days: 200, setAt: at }, expected: 0 });
    expect(await embedded.forget({ days: 30, now: NOW })).toMatchObject({ jobs: 1, logItems: 0 });
    expect(await embedded.forget({ days: 30, now: EIGHT + 240 * DAY })).toMatchObject({ jobs: 1, logItems: 2 });
  });

  it("keep their days of the log as long as one is stored whose time of creation is in the future", async () => {
    const [created, ...others] = startedJob({ name: "future", createdAt: EIGHT });
    if (created?.kind !== "JobCreated") throw new Error("The first fact of a Job is its creation.");
    const facts = [{ ...created, createdAt: NOW + DAY }, ...others];
    await embedded.importFacts(once(facts), { cluster, now: EIGHT + HOUR });
    await embedded.forget({ days: 30, now: NOW });
    await embedded.replay();
    expect((await embedded.verify()).jobs).toBe(1);
  });

  it("stay without a retention", async () => {
    expect(await embedded.forget({ now: NOW })).toMatchObject({ jobs: 0, logItems: 0 });
  });
});

describe("gaps and hints that retention deletes", () => {
  const target = { kind: "Pod", namespace: "shop", name: "pod" } as const;
  const stamp = stampAt(EIGHT, 9);
  const afterTenDays = { days: 1, now: EIGHT + 10 * DAY };
  const deletion = { hintId: "a", verb: "delete", user: "alice", code: 200, requestedAt: EIGHT };
  const told: readonly Fact[] = [
    { ...stamp, kind: "GapRecorded", gapId: "g", from: EIGHT - 1, to: EIGHT, resources: ["jobs"], reason: "restart" },
    { ...stamp, kind: "RequestHinted", target, ...deletion },
  ];
  const left = async () => [
    await embedded.meta.read("gap", gapKey(cluster, "g")),
    await embedded.meta.read("hints", hintsKey(cluster, target)),
  ];
  beforeEach(() => embedded.importFacts(once(told), { cluster, now: EIGHT + HOUR }));

  it("stay deleted after a replay, though the log still has their facts", async () => {
    expect(await left()).not.toContain(undefined);
    expect(await embedded.forget(afterTenDays)).toMatchObject({ logItems: 0, records: 2 });
    await embedded.replay();
    expect(await left()).toEqual([undefined, undefined]);
    expect(await embedded.verify()).toMatchObject({ mismatches: [], records: [] });
  });

  it("are not kept by Jobs of the projection that a replay has replaced", async () => {
    const job = { name: "job-long", createdAt: EIGHT - DAY, namespace: "shop" };
    await embedded.importFacts(once(startedJob(job)), { cluster, now: EIGHT + HOUR });
    await embedded.replay();
    await embedded.importFacts(once(endedJob(job)), { cluster, now: EIGHT + HOUR });
    await embedded.sweep({ now: EIGHT + 5 * DAY });
    await embedded.forget(afterTenDays);
    expect(await left()).toEqual([undefined, undefined]);
  });

  it("are rebuilt if an archive needs the gaps: hints are deleted, and gaps are not", async () => {
    await archiveDatabase(embedded, archive, { now: EIGHT + 3 * DAY });
    await embedded.forget({ ...afterTenDays, archive });
    const gap = gapKey(cluster, "g");
    await embedded.eraser.removeRecord("gap", gap);
    expect(await embedded.verify()).toMatchObject({ records: [{ kind: "gap", key: gap, problem: "missing" }] });
    await embedded.replay();
    const [rebuilt, hints] = await left();
    expect(rebuilt).toBeDefined();
    expect(hints).toBeUndefined();
  });
});
