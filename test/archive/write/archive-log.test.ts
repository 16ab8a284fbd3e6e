import { beforeEach, describe, expect, it } from "vitest";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { listChain, readLink } from "../../../src/archive/layout/chain.ts";
import { archivedSegments } from "../../../src/archive/read/archived-segments.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { ArchiveAheadError, HourArchivedError, OtherArchiveError } from "../../../src/archive/write/archive-log.ts";
import {
  ArchiveScene,
  EIGHT,
  endedJob,
  HOUR,
  jobDeleted,
  MINUTE,
  tableRows,
} from "../../support/archive/archive-scene.ts";
import { ARCHIVE_KEY } from "../../../src/ports/meta-key.ts";
import { KilledError } from "../../support/killed/killed-at.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

let scene: ArchiveScene;
beforeEach(() => {
  scene = new ArchiveScene();
});

async function tellStory(): Promise<void> {
  const { tracker } = scene;
  await tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  await tracker.tell(endedJob({ name: "import", createdAt: EIGHT + HOUR, succeeds: false }), EIGHT + HOUR + 4 * MINUTE);
  await tracker.tell([jobDeleted({ name: "report" }, EIGHT + 2 * HOUR)], EIGHT + 2 * HOUR);
}

const jobsAt = async (store = scene.store) =>
  (await tableRows(store, "jobs")).map(({ name, verdict_state: state, revision }) => ({ name, state, revision }));

describe("an archive", () => {
  it("has the hours that are closed, and not the current one", async () => {
    await tellStory();
    expect(await scene.archive(EIGHT + 2 * HOUR + 30 * MINUTE)).toMatchObject({ hours: 2, isBehind: false });
    expect(await listChain(scene.store)).toEqual(
      [8, 9].map((hour) => ({ kind: "hour", hour: hourOf(EIGHT) + hour - 8 })),
    );
  });

  it("does not have an hour in the first minutes after its end", async () => {
    await tellStory();
    expect(await scene.archive(EIGHT + HOUR + 4 * MINUTE)).toMatchObject({ hours: 0 });
    expect(scene.store.keys).toEqual([]);
  });

  it("is recorded by the log when its first hour is written, and not before", async () => {
    const recorded = () => scene.tracker.ports.meta.read("position", ARCHIVE_KEY);
    await scene.archive(EIGHT);
    await tellStory();
    await scene.archive(EIGHT + HOUR + 4 * MINUTE);
    expect(await recorded()).toBeUndefined();
    await scene.archive(EIGHT + HOUR + 10 * MINUTE);
    expect((await recorded())?.value).toContain("archive-1");
  });

  it("has a manifest for an hour without segments", async () => {
    await tellStory();
    await scene.archive(EIGHT + 5 * HOUR);
    const { manifest } = await readLink(scene.store, { kind: "hour", hour: hourOf(EIGHT) + 3 });
    expect(manifest).toMatchObject({ objects: [], counts: { segments: 0, facts: 0, jobs: 0, attempts: 0 } });
  });

  it("has a row for each Job that ended, and another with a higher revision after late facts", async () => {
    await tellStory();
    await scene.archive(EIGHT + 3 * HOUR + 10 * MINUTE);
    expect(await jobsAt()).toEqual([
      { name: "report", state: "Complete", revision: hourOf(EIGHT) },
      { name: "import", state: "Failed", revision: hourOf(EIGHT) + 1 },
      { name: "report", state: "Complete", revision: hourOf(EIGHT) + 2 },
    ]);
  });

  it("has a segment in the hour of its arrival", async () => {
    await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
    const late = EIGHT + 3 * HOUR + MINUTE;
    await scene.tracker.tell(endedJob({ name: "late", createdAt: EIGHT }), EIGHT + 5 * MINUTE, late);
    await scene.archive(EIGHT + 5 * HOUR);
    const links = await Promise.all((await listChain(scene.store)).map((name) => readLink(scene.store, name)));
    expect(links.map(({ manifest }) => manifest.counts.jobs)).toEqual([1, 0, 0, 1]);
  });

  it("has the same bytes for the same log", async () => {
    await tellStory();
    await scene.archive(EIGHT + 20 * HOUR);
    const again = new MemoryObjects();
    await scene.archive(EIGHT + 20 * HOUR, again);
    expect(again.objects).toEqual(scene.store.objects);
  });

  it("has the same objects whether it was written at once or hour by hour, and is verified", async () => {
    await tellStory();
    for (let hour = 1; hour < 20; hour += 1) await scene.archive(EIGHT + hour * HOUR + 10 * MINUTE);
    const again = new MemoryObjects();
    await scene.archive(EIGHT + 19 * HOUR + 10 * MINUTE, again);
    expect(again.keys).toEqual(scene.store.keys);
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });

  it("is not continued while it has hours that have not ended: what arrives in them would be lost", async () => {
    await tellStory();
    await scene.archive(EIGHT + 24 * HOUR + 10 * MINUTE);
    await expect(scene.archive(EIGHT + 22 * HOUR)).rejects.toThrow(ArchiveAheadError);
    // Clocks of two archivers differ by minutes.
    await expect(scene.archive(EIGHT + 23 * HOUR + 50 * MINUTE)).resolves.toMatchObject({ hours: 0 });
  });

  it("belongs to one log", async () => {
    await tellStory();
    await scene.archive(EIGHT + 2 * HOUR);
    const other = new ArchiveScene();
    await other.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
    await expect(other.archive(EIGHT + 2 * HOUR, scene.store)).rejects.toThrow(OtherArchiveError);
  });
});

const added = (minutes: number) =>
  scene.tracker.tell(endedJob({ name: `at-${minutes}`, createdAt: EIGHT }), EIGHT + minutes * MINUTE);

/** How many segments each hour has. */
async function segmentsOfHours(): Promise<readonly number[]> {
  const hours: (number | undefined)[] = [];
  for await (const { hour, segments } of archivedSegments(scene.store)) {
    hours[hour - hourOf(EIGHT)] = (hours[hour - hourOf(EIGHT)] ?? 0) + segments.length;
  }
  return Array.from(hours, (segments) => segments ?? 0);
}

describe("an archive until now", () => {
  it("has the current hour, also in its first minutes, and the hour before", async () => {
    await added(58);
    await added(61);
    expect(await scene.archiveUntilNow(EIGHT + 63 * MINUTE)).toMatchObject({ hours: 2, through: hourOf(EIGHT) + 1 });
    expect(await segmentsOfHours()).toEqual([1, 1]);
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });

  it("can be written again, and continued by closed hours, at any minute", async () => {
    await added(1);
    await scene.archiveUntilNow(EIGHT + 2 * MINUTE);
    for (const minutes of [2, 3, 30, 59, 62]) {
      const now = EIGHT + minutes * MINUTE;
      await expect(scene.archive(now)).resolves.toMatchObject({ hours: 0 });
    }
    await expect(scene.archiveUntilNow(EIGHT + 30 * MINUTE)).resolves.toMatchObject({ hours: 0 });
    await expect(scene.archive(EIGHT + 2 * HOUR + 5 * MINUTE)).resolves.toMatchObject({ hours: 1 });
  });

  it("refuses what was added to the current hour, and has it in the next one", async () => {
    await added(10);
    await scene.archiveUntilNow(EIGHT + 20 * MINUTE);
    await added(30);
    const again = scene.archiveUntilNow(EIGHT + 40 * MINUTE);
    await expect(again).rejects.toThrow(HourArchivedError);
    await expect(again).rejects.toThrow("1 segment of the log was added after it was archived");
    await scene.archiveUntilNow(EIGHT + 61 * MINUTE);
    expect(await segmentsOfHours()).toEqual([1, 1]);
    expect((await jobsAt()).map(({ name }) => name)).toEqual(["at-10", "at-30"]);
  });

  it("has what was imported later in the same hour, though its arrival is recorded", async () => {
    const imported = (name: string, minutes: number) =>
      scene.tracker.tell(endedJob({ name, createdAt: EIGHT }), EIGHT + 4 * MINUTE, EIGHT + minutes * MINUTE);
    await imported("first", 10);
    await scene.archiveUntilNow(EIGHT + 20 * MINUTE);
    await imported("second", 30);
    await scene.archive(EIGHT + 4 * HOUR);
    expect(await segmentsOfHours()).toEqual([1, 1]);
    await scene.archive(EIGHT + 24 * HOUR);
    expect(await segmentsOfHours()).toEqual([1, 1]);
  });

  it("has every segment once, whatever is archived when", async () => {
    for (let minutes = 1; minutes < 300; minutes += 7) {
      await added(minutes);
      const now = EIGHT + (minutes + 1) * MINUTE;
      const archived = minutes % 3 === 0 ? scene.archive(now) : scene.archiveUntilNow(now);
      await archived.catch((error: unknown) => expect(error).toBeInstanceOf(HourArchivedError));
    }
    await scene.archive(EIGHT + 8 * HOUR);
    expect((await segmentsOfHours()).reduce((sum, segments) => sum + segments)).toBe(43);
    expect(new Set((await jobsAt()).map(({ name }) => name)).size).toBe(43);
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });
});

describe("a day", () => {
  const nextDay = EIGHT + 17 * HOUR;

  it("has one part per table and cluster after its compaction, with the last revision of each Job", async () => {
    await tellStory();
    await scene.archive(nextDay);
    expect(scene.store.keys.filter((key) => key.endsWith(".parquet"))).toEqual([
      "attempts/dt=2026-11-21/cluster=east/part-0.parquet",
      "facts/dt=2026-11-21/cluster=east/part-0.parquet",
      "jobs/dt=2026-11-21/cluster=east/part-0.parquet",
    ]);
    expect(await jobsAt()).toEqual([
      { name: "import", state: "Failed", revision: hourOf(EIGHT) + 1 },
      { name: "report", state: "Complete", revision: hourOf(EIGHT) + 2 },
    ]);
  });

  it("keeps all its facts, labels and times in the compaction", async () => {
    await tellStory();
    await scene.archive(EIGHT + 3 * HOUR + 10 * MINUTE);
    const [facts, before] = [await tableRows(scene.store, "facts"), await tableRows(scene.store, "attempts")];
    await scene.archive(nextDay);
    expect(await tableRows(scene.store, "facts")).toEqual(facts);
    const attempts = await tableRows(scene.store, "attempts");
    expect(attempts).toEqual(
      before.filter(({ revision, job_name: name }) => name !== "report" || revision !== hourOf(EIGHT)),
    );
    const [job] = await tableRows(scene.store, "jobs");
    expect(job).toMatchObject({ labels: { team: "billing" }, created_at: new Date(EIGHT + HOUR) });
  });

  it("gets a part with another number for facts that arrive on a later day", async () => {
    await tellStory();
    await scene.tracker.tell(endedJob({ name: "late", createdAt: EIGHT }), nextDay, nextDay + HOUR);
    await scene.archive(nextDay + 3 * HOUR);
    const keys = scene.store.keys.filter((key) => key.startsWith("jobs/dt=2026-11-21/"));
    expect(keys).toEqual([
      "jobs/dt=2026-11-21/cluster=east/part-0.parquet",
      "jobs/dt=2026-11-21/cluster=east/part-1-h02.parquet",
    ]);
  });
});

describe("an archiver", () => {
  const now = EIGHT + 17 * HOUR;

  it("that is killed before any of its writes is continued by the next one", async () => {
    const midnight = EIGHT + 16 * HOUR;
    await scene.tracker.tell(endedJob({ name: "a", createdAt: midnight - 2 * HOUR }), midnight - HOUR - MINUTE);
    await scene.tracker.tell(endedJob({ name: "b", createdAt: midnight - HOUR }), midnight - MINUTE);
    const whole = new MemoryObjects();
    await scene.archive(midnight + HOUR, whole);
    let killed = 0;
    for (let writes = 0; ; writes += 1) {
      const store = new MemoryObjects();
      store.writesLeft = writes;
      try {
        await scene.archive(midnight + HOUR, store);
        break;
      } catch (error) {
        if (!(error instanceof KilledError)) throw error;
        killed += 1;
      }
      store.writesLeft = Infinity;
      await scene.archive(midnight + HOUR, store);
      expect(store.objects).toEqual(whole.objects);
    }
    expect(killed).toBeGreaterThan(15);
  });

  it("that is killed and finds more in the log later still vouches for whole parts", async () => {
    await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
    scene.store.writesLeft = 4;
    await expect(scene.archive(EIGHT + HOUR + 10 * MINUTE)).rejects.toThrow(KilledError);
    scene.store.writesLeft = Infinity;
    await scene.tracker.tell([jobDeleted({ name: "report" }, EIGHT + HOUR)], EIGHT + HOUR);
    await scene.archive(EIGHT + HOUR + 10 * MINUTE);
    const { problems } = await verifyArchive(scene.store);
    expect(problems.filter(({ problem }) => problem !== "unlisted")).toEqual([]);
    await scene.archive(EIGHT + 20 * HOUR);
    expect((await tableRows(scene.store, "jobs")).map(({ deleted_at: at }) => at)).toEqual([new Date(EIGHT + HOUR)]);
  });

  it("that runs at the same time as another writes the same chain", async () => {
    await tellStory();
    const outcomes = await Promise.all([scene.archive(now), scene.archive(now)]);
    expect(outcomes[0].head).toBe(outcomes[1].head);
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });

  it("stops between two hours when its time is up", async () => {
    await tellStory();
    const ports = { ...scene.tracker.ports, store: scene.store };
    const { archiveLog } = await import("../../../src/archive/write/archive-log.ts");
    let turns = 2;
    const archived = await archiveLog(ports, { now, newId: () => "a", hasTime: () => (turns -= 1) >= 0 });
    expect(archived).toMatchObject({ hours: 2, isBehind: true });
    expect(scene.store.keys).toContain(manifestKey({ kind: "hour", hour: hourOf(EIGHT) + 1 }));
  });
});
