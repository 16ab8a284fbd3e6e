import { describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { readLink } from "../../../src/archive/layout/chain.ts";
import { decodeSegmentFile } from "../../../src/archive/layout/segment-file.ts";
import type { TableRow } from "../../../src/archive/parquet/column.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { ProjectionBehindError } from "../../../src/archive/write/archive-one-hour.ts";
import { archiveLog } from "../../../src/archive/write/archive-log.ts";
import {
  ArchiveScene,
  EIGHT,
  endedJob,
  HOUR,
  jobEnd,
  MINUTE,
  startedJob,
  tableRows,
} from "../../support/archive/archive-scene.ts";
import { failedTrainJob } from "../../support/story/run-story.ts";
import { memberFacts, runFacts, runUidNamed } from "../../support/facts/run-facts.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";

const story = { name: "report", createdAt: EIGHT + 58 * MINUTE };
const nextHour = EIGHT + HOUR + 2 * MINUTE;

describe("an hour of the archive", () => {
  it("has the segments as the log has them, with their late arrivals", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(startedJob(story), EIGHT + 59 * MINUTE);
    await scene.tracker.tell(jobEnd(story), EIGHT + 59 * MINUTE + 1, EIGHT + 59 * MINUTE + 30_000);
    await scene.archive(EIGHT + 2 * HOUR);
    const { manifest } = await readLink(scene.store, { kind: "hour", hour: hourOf(EIGHT) });
    const key = manifest.objects.find((object) => object.key.startsWith("segments/"))?.key ?? "";
    const file = decodeSegmentFile(scene.store.objects.get(key) ?? Buffer.of());
    const segments = file.outcome === "decoded" ? file.segments : [];
    const logged = await scene.tracker.ports.log.readDay({ cluster: scene.cluster, day: "20261121" }, { limit: 9 });
    expect(segments.map(({ bytes }) => Buffer.from(bytes))).toEqual(
      logged.items.map(({ bytes }) => Buffer.from(bytes)),
    );
    expect(segments.map(({ lateAt }) => lateAt)).toEqual([undefined, EIGHT + 59 * MINUTE + 30_000]);
    expect(manifest.counts).toEqual({ segments: 2, facts: 11, jobs: 1, attempts: 1 });
  });

  it("has no row for a Job that has not ended", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(startedJob(story), EIGHT + 59 * MINUTE);
    await scene.archive(EIGHT + 2 * HOUR);
    expect(await tableRows(scene.store, "jobs")).toEqual([]);
    expect(await tableRows(scene.store, "attempts")).toEqual([]);
    expect(await tableRows(scene.store, "facts")).toHaveLength(7);
  });

  it("names in a Job's row every hour that has facts about it", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(startedJob(story), EIGHT + 59 * MINUTE);
    await scene.tracker.tell(jobEnd(story), nextHour);
    await scene.archive(EIGHT + 3 * HOUR);
    const rows = await tableRows(scene.store, "jobs");
    // Hour 8 is archived when the log has the end already, which the row of hour 9 has too.
    expect(rows.map(({ archive_hours: hours }) => hours)).toEqual([
      [new Date(EIGHT)],
      [new Date(EIGHT), new Date(EIGHT + HOUR)],
    ]);
  });

  it("waits while the projection lacks facts of the log", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(endedJob(story), EIGHT + 59 * MINUTE);
    const ports = { ...scene.tracker.ports, store: scene.store, jobs: new MemoryJobStore() };
    const archiving = archiveLog(ports, { now: EIGHT + 2 * HOUR, newId: () => "a" });
    await expect(archiving).rejects.toThrow(ProjectionBehindError);
    expect(scene.store.keys.filter((key) => key.startsWith("manifest/"))).toEqual([]);
  });
});

describe("the runs of an hour", () => {
  const run = { name: "train", createdAt: EIGHT, jobs: ["a", "b"] };

  it("have a row with what the hour says, though the projection lacks it", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell([...memberFacts(run), ...runFacts(run)], EIGHT + 5 * MINUTE);
    const ports = { ...scene.tracker.ports, store: scene.store, runs: new MemoryJobStore() };
    await archiveLog(ports, { now: EIGHT + 2 * HOUR, newId: () => "a" });
    const rows = await tableRows(scene.store, "runs");
    expect(rows).toEqual([
      expect.objectContaining({ name: "train", key: runUidNamed("train"), verdict_state: "Failed", jobs_failed: 2 }),
    ]);
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });

  it("have one row of a day after its compaction, with the latest revision", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell([...memberFacts(run), ...runFacts(run)], EIGHT + 5 * MINUTE);
    await scene.archive(EIGHT + 90 * MINUTE);
    await scene.tracker.tell(memberFacts({ ...run, jobs: ["c"] }), EIGHT + HOUR + 5 * MINUTE);
    await scene.archive(EIGHT + 20 * HOUR);
    const rows = await tableRows(scene.store, "runs");
    expect(rows.map(({ revision, jobs_total: jobs }) => [revision, jobs])).toEqual([[hourOf(EIGHT) + 1, 3]]);
  });

  it("have the end that a TrainJob reports in a later hour than its JobSet", async () => {
    const scene = new ArchiveScene();
    const facts = failedTrainJob();
    await scene.tracker.tell(facts.slice(0, -1), EIGHT + 5 * MINUTE);
    await scene.archive(EIGHT + 90 * MINUTE);
    await scene.tracker.tell(facts.slice(-1), EIGHT + HOUR + 5 * MINUTE);
    expect(await tableRows(scene.store, "runs")).toEqual([]);
    await scene.archive(EIGHT + 3 * HOUR);
    const rows = await tableRows(scene.store, "runs");
    expect(rows.map(({ kind, name, verdict_state: state, revision }) => [kind, name, state, revision])).toEqual([
      ["TrainJob", "fit", "Failed", hourOf(EIGHT) + 1],
    ]);
  });

  it("have no row if they have expired", async () => {
    const scene = new PackedScene();
    await scene.tell([...memberFacts(run), ...runFacts(run)], EIGHT + 5 * MINUTE);
    const expired = { jobs: new MemoryJobStore(), runs: new MemoryJobStore() };
    const late = { now: EIGHT + 48 * HOUR, newId: () => "a", jobDays: 1 };
    await archiveLog({ ...scene.ports, ...expired, store: scene.store }, late);
    expect(await tableRows(scene.store, "runs")).toEqual([]);
  });
});

/** Rows as sorted texts: the order of the layouts differs. */
function sorted(rows: readonly TableRow[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row, withoutBigInt)).toSorted();
}

function withoutBigInt(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

describe("an hour of a log of packs", () => {
  const report = { name: "report", createdAt: EIGHT };

  it("has the same rows as the hour of a log of single items", async () => {
    const packed = new PackedScene();
    const single = new ArchiveScene();
    for (const cluster of ["east", "west"]) {
      for (const name of ["a", "b", "c"]) {
        const told = [endedJob({ name, createdAt: EIGHT }), EIGHT + 4 * MINUTE, EIGHT + 4 * MINUTE, cluster] as const;
        await packed.tell(...told);
        await single.tracker.tell(...told);
      }
    }
    await packed.archive(EIGHT + 2 * HOUR);
    await single.archive(EIGHT + 2 * HOUR);
    for (const table of ["jobs", "attempts", "facts"] as const) {
      expect(sorted(await tableRows(packed.store, table))).toEqual(sorted(await tableRows(single.store, table)));
    }
    expect((await verifyArchive(packed.store)).problems).toEqual([]);
  });

  it("has a Job's row, though a segment about it was delivered again later", async () => {
    const scene = new PackedScene();
    const segment = await scene.tell(endedJob(report), EIGHT + 59 * MINUTE);
    await scene.arrive([segment], EIGHT + HOUR + MINUTE);
    await scene.arrive([segment], EIGHT + 5 * HOUR);
    await scene.archive(EIGHT + 7 * HOUR);
    const rows = await tableRows(scene.store, "jobs");
    expect(rows.map(({ name, revision }) => [name, revision])).toEqual([
      ["report", hourOf(EIGHT)],
      ["report", hourOf(EIGHT) + 5],
    ]);
  });

  it("names in a Job's row every hour in which a segment about it arrived", async () => {
    const scene = new PackedScene();
    await scene.tell(startedJob(report), EIGHT + MINUTE);
    await scene.tell(jobEnd(report), EIGHT + 4 * MINUTE, EIGHT + 3 * HOUR);
    await scene.archive(EIGHT + 5 * HOUR);
    const rows = await tableRows(scene.store, "jobs");
    expect(rows.at(-1)?.["archive_hours"]).toEqual([new Date(EIGHT), new Date(EIGHT + 3 * HOUR)]);
  });

  it("waits while the projection lacks a segment of it", async () => {
    const scene = new PackedScene();
    await scene.tell(endedJob(report), EIGHT + MINUTE);
    const ports = { ...scene.ports, store: scene.store, jobs: new MemoryJobStore() };
    const archiving = archiveLog(ports, { now: EIGHT + 2 * HOUR, newId: () => "a" });
    await expect(archiving).rejects.toThrow(ProjectionBehindError);
  });

  it("is archived without rows of Jobs that have expired, and waits for those that have not", async () => {
    const scene = new PackedScene();
    await scene.tell(endedJob(report), EIGHT + MINUTE);
    const ports = { ...scene.ports, store: scene.store, jobs: new MemoryJobStore() };
    const archive = (days: number) =>
      archiveLog(ports, { now: EIGHT + days * 24 * HOUR, newId: () => "a", jobDays: 2 });
    await expect(archive(1)).rejects.toThrow(ProjectionBehindError);
    await archive(2);
    expect(await tableRows(scene.store, "facts")).toHaveLength(11);
    expect(await tableRows(scene.store, "jobs")).toEqual([]);
  });
});
