import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { archiveDatabase } from "../../../src/host/embedded/archive-database.ts";
import { applyArchivedErasures } from "../../../src/log/erasure/command/apply-archived-erasures.ts";
import { erasurePorts } from "../../../src/host/embedded/erase-embedded.ts";
import { importArchive } from "../../../src/host/embedded/import-archive.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { erasureRecord } from "../../../src/log/erasure/erasure-record.ts";
import { listErasures } from "../../../src/log/erasure/stored-erasures.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { wrappedObjects } from "../../../src/ports/objects/wrapped-objects.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { verifyProjection } from "../../../src/upkeep/replay/verify-projection.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import {
  cluster,
  ERASED_AT,
  ErasureScene,
  NAMES,
  NAMESPACE,
  ofCluster,
  ofJob,
  ofNamespace,
  OTHERS,
  uidOf,
} from "../../support/erasure/erasure-scene.ts";
import { searchFolder, storesWith } from "../../support/erasure/search-bytes.ts";
import { erasableArchive } from "../../../src/archive/write/erase-archive.ts";

let scene: ErasureScene;
beforeEach(async () => {
  scene = new ErasureScene();
  await scene.fill();
});
afterEach(() => scene.remove());

/** The names of the Job alone, which a Job's erasure removes. */
const OF_JOB = [NAMES.job, NAMES.message, NAMES.label, String(uidOf(NAMES.job))];
const OF_NAMESPACE = [...OF_JOB, NAMES.namespace, OTHERS.sibling, "potoroo-nightly"];

const search = (texts: readonly string[], folder = scene.stores) => searchFolder(folder, texts);

describe("the data of a Job, before it is erased", () => {
  it("is in every store", async () => {
    const stores = storesWith(await search([NAMES.job]));
    expect(stores).toEqual(expect.arrayContaining(["archive", "table jobs_a", "table log", "table meta"]));
  });

  it("is in a message that was set aside", async () => {
    expect(storesWith(await search([NAMES.label]))).toContain("table meta");
  });

  it.each(OF_NAMESPACE)("is found by the search: %s", async (text) => {
    expect(await search([text])).not.toEqual([]);
  });
});

describe.each([
  ["a Job", ofJob, OF_JOB, 1],
  ["a namespace", ofNamespace, OF_NAMESPACE, 2],
  ["a cluster", ofCluster, [...OF_NAMESPACE, OTHERS.neighbour, "node-1"], 3],
] as const)("after the erasure of %s", (_, target, texts, jobs) => {
  it("no byte of it is in any store, and the counts are recorded", async () => {
    const erased = await scene.erase(target);
    expect(erased).toMatchObject({ outcome: "erased", record: { stage: "done", by: "alice", counts: { jobs } } });
    expect(await search(texts)).toEqual([]);
  });

  it("it does not come back with messages, a replay, or an archive that is written on", async () => {
    await scene.erase(target);
    for (const { bytes, at } of scene.sent) await scene.deliver(bytes, at);
    await scene.tracker.replay();
    await archiveDatabase(scene.tracker, scene.archive, { now: ERASED_AT + 2 * HOUR });
    expect(await search(texts)).toEqual([]);
    const { log, meta, projections } = scene.tracker;
    expect(await verifyProjection({ log, meta, jobs: await liveJobs(projections, meta) })).toMatchObject({
      mismatches: [],
    });
  });

  it("the archive is whole, and names what was erased", async () => {
    await scene.erase(target);
    const verified = await verifyArchive(scene.archive);
    expect(verified.problems).toEqual([]);
    expect(verified.erased.map(({ key }) => key.split("/")[0])).toContain("segments");
    await archiveDatabase(scene.tracker, scene.archive, { now: ERASED_AT + 5 * HOUR });
    expect((await verifyArchive(scene.archive)).problems).toEqual([]);
  });

  it("it is not in a database that is restored from the archive", async () => {
    await scene.erase(target);
    const restored = openEmbedded(join(scene.stores, "restored.sqlite"));
    expect(await importArchive(restored, scene.archive, () => {})).toMatchObject({ outcome: "imported" });
    for (const { bytes, at } of scene.sent) await scene.deliver(bytes, at, restored);
    restored.close();
    expect(await search(texts)).toEqual([]);
  });

  it("a backup from before it has the data until the erasures of the archive are applied to it", async () => {
    const backup = join(scene.stores, "backup.sqlite");
    await scene.tracker.backUp(backup);
    await scene.erase(target);
    expect(await search([NAMES.job])).not.toEqual([]);
    const restored = scene.open(backup);
    const applied = await applyArchivedErasures({
      ...erasurePorts(restored, { settleMillis: 0 }),
      archive: erasableArchive(scene.archive),
    });
    expect(applied).toMatchObject([{ stage: "done", counts: { jobs } }]);
    for (const { bytes, at } of scene.sent) await scene.deliver(bytes, at, restored);
    await restored.replay();
    restored.close();
    expect(await search(texts)).toEqual([]);
  });
});

/** An archive whose erasure is not complete: a database without the erasure has archived more of the data. */
async function leaveErasedData(): Promise<void> {
  await scene.tracker.backUp(backup());
  await scene.erase(ofNamespace);
  const older = scene.open(backup());
  for (const { record, erasure } of await listErasures(scene.tracker.meta)) {
    await writeRecord(older.meta, erasureRecord, { key: record.id, value: record, expected: 0 });
    expect(erasure.known.size).toBeGreaterThan(0);
  }
  const late = endedJob({ name: NAMES.job, namespace: NAMESPACE, createdAt: EIGHT });
  const bytes = sealSegment({
    cluster,
    session: "exporter00000001",
    sequence: 0,
    sealedAt: ERASED_AT,
    facts: late,
  }).bytes;
  await older.queue({ now: () => ERASED_AT, onUnfolded: () => {} }).send([{ bytes, cluster }]);
  await archiveDatabase(older, scene.archive, { now: ERASED_AT + 2 * HOUR });
  older.close();
  rmSync(backup());
}

describe("an archive whose erasure was not complete", () => {
  it("gives a database without the data, and has none of it afterwards", async () => {
    await leaveErasedData();
    expect(storesWith(await search([NAMES.job]))).toContain("archive");
    const restored = openEmbedded(join(scene.stores, "restored.sqlite"));
    expect(await importArchive(restored, scene.archive, () => {})).toMatchObject({ outcome: "imported" });
    expect(await listErasures(restored.meta)).toMatchObject([{ record: { stage: "done" } }]);
    restored.close();
    expect(await search([NAMES.job])).toEqual([]);
    expect((await verifyArchive(scene.archive)).problems).toEqual([]);
  });
});

const backup = () => join(scene.stores, "backup.sqlite");

/** The archiver refuses the backup until the erasures of the archive are applied to it. */
async function expectAppliedFirst(problem: RegExp): Promise<void> {
  const restored = scene.open(backup());
  const archive = () => archiveDatabase(restored, scene.archive, { now: ERASED_AT + 2 * HOUR });
  await expect(archive()).rejects.toThrow(problem);
  expect(await search(OF_NAMESPACE)).not.toEqual([]);
  await applyArchivedErasures({
    ...erasurePorts(restored, { settleMillis: 0 }),
    archive: erasableArchive(scene.archive),
  });
  await archive();
  restored.close();
  expect(await search(OF_NAMESPACE)).toEqual([]);
}

describe("a backup that was taken", () => {
  it("before an erasure is not archived", async () => {
    await scene.tracker.backUp(backup());
    await scene.erase(ofNamespace);
    await expectAppliedFirst(/does not have: it was restored from an older backup.*outlive erase --apply/);
  });

  it("during an erasure is not archived", async () => {
    const { eraser, ...ports } = scene.ports();
    let taken: Promise<void> | undefined;
    const replaceItem = async (remains: LogItem) => {
      await (taken ??= scene.tracker.backUp(backup()));
      await eraser.replaceItem(remains);
    };
    await scene.erase(ofNamespace, { ...ports, eraser: { ...eraser, replaceItem } });
    await expectAppliedFirst(/has not finished: it was stopped.*outlive erase --apply/);
  });
});

describe("data that is not erased", () => {
  it("stays as it was: the other Job of the same segment", async () => {
    const key = { cluster, jobUid: uidOf(OTHERS.sibling) };
    const before = await (await liveJobs(scene.tracker.projections, scene.tracker.meta)).read(key);
    await scene.erase(ofJob);
    const after = await (await liveJobs(scene.tracker.projections, scene.tracker.meta)).read(key);
    expect(after?.bytes).toEqual(before?.bytes);
  });
});

/** The archive of the scene, where the first write of a key does something else before. */
function beforeWriteOf(isWanted: (key: string) => boolean, act: () => Promise<unknown>): ObjectStore {
  let isFirst = true;
  const { archive } = scene;
  return wrappedObjects(archive, {
    putIfAbsent: async (key, bytes) => {
      if (isFirst && isWanted(key)) {
        isFirst = false;
        await act();
      }
      return archive.putIfAbsent(key, bytes);
    },
  });
}

const isOfDay = (key: string) => key.startsWith("facts/") && !key.includes("-h");

describe("an archiver that has read data before an erasure removes it", () => {
  it("does not archive an hour with it", async () => {
    const late = endedJob({ name: "bandicoot-audit", namespace: NAMESPACE, createdAt: ERASED_AT });
    await scene.send(late, ERASED_AT + HOUR / 2);
    const [reached, erased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const archive = beforeWriteOf(
      (key) => key.startsWith("facts/"),
      async () => {
        reached.resolve();
        await erased.promise;
      },
    );
    const { eraser, ...ports } = scene.ports();
    let archiving: Promise<unknown> | undefined;
    const replaceItem = async (remains: LogItem) => {
      archiving ??= archiveDatabase(scene.tracker, archive, { now: ERASED_AT + 2 * HOUR });
      await reached.promise;
      await eraser.replaceItem(remains);
    };
    await scene.erase(ofNamespace, { ...ports, eraser: { ...eraser, replaceItem } });
    erased.resolve();
    await archiving;
    expect(await search([...OF_NAMESPACE, "bandicoot-audit"])).toEqual([]);
    expect((await verifyArchive(scene.archive)).problems).toEqual([]);
  });

  it("does not compact a day with it", async () => {
    const archive = beforeWriteOf(isOfDay, () => scene.erase(ofNamespace));
    await archiveDatabase(scene.tracker, archive, { now: ERASED_AT + 30 * HOUR });
    expect((await listErasures(scene.tracker.meta)).length).toBe(1);
    expect(await search(OF_NAMESPACE)).toEqual([]);
    expect((await verifyArchive(scene.archive)).problems).toEqual([]);
  });
});
