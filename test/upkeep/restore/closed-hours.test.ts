import { beforeEach, describe, expect, it } from "vitest";
import { archivedSegments } from "../../../src/archive/read/archived-segments.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { ClosedHours } from "../../../src/upkeep/restore/closed-hours.ts";
import { loggedBatches } from "../../../src/upkeep/restore/logged-batches.ts";
import { type Restored, restoreSegments } from "../../../src/upkeep/restore/restore-segments.ts";
import { EIGHT, endedJob, HOUR, MINUTE, tableRows } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { RestoredScene } from "../../support/archive/restored-scene.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryPackedLog } from "../../support/stores/memory-packs.ts";

/** When the table is restored: the hours of the table are archived. */
const NOW = EIGHT + 26 * HOUR + 30 * MINUTE;
const RETRY = { attempts: 1, pause: async () => {} };

let stage: PackedScene;
/** A copy of the log, in which nothing is missing. */
let table: PackedScene;
beforeEach(async () => {
  stage = new PackedScene();
  table = new PackedScene();
  for (const [index, name] of ["kept", "lost", "open"].entries()) {
    const arrivedAt = name === "open" ? NOW - MINUTE : EIGHT + index * MINUTE;
    const segment = await table.tell(endedJob({ name, createdAt: arrivedAt - HOUR }), arrivedAt);
    if (name === "kept") await stage.arrive([segment], arrivedAt);
  }
  await stage.archive(EIGHT + 20 * HOUR);
});

/** Restores the table into the stage, as `outlive restore --table` does, and projects what has arrived. */
async function restore({ log = stage.ports.log, now = NOW } = {}): Promise<Restored> {
  const to = new RestoredScene(now, 3, { log, meta: stage.ports.meta });
  const closed = new ClosedHours({ ...stage.ports, log, archive: stage.store, now: () => now });
  const before = log.allPacks.length;
  const restored = await restoreSegments({ ...to.ports, closed }, loggedBatches(pages()));
  const items = log.allPacks.slice(before).flatMap((pack) => pack.items);
  await projectSegments(stage.ports, items, RETRY);
  return restored;
}

async function* pages() {
  for (const { items } of table.ports.log.allPacks) yield items;
}

const hoursOf = (log: MemoryPackedLog) => log.allPacks.map(({ hour }) => hour.hour).sort();

describe("a segment that the log and the archive lack, of an hour that the archive has closed", () => {
  it("arrives now, and the archive has it before the log may lose it", async () => {
    expect(await restore()).toEqual({ segments: 3, known: 1, late: 1, expired: 0, setAside: 0 });
    expect(hoursOf(stage.ports.log)).toEqual(["2026112108", "2026112210", "2026112210"]);
    await stage.archive(NOW + 2 * HOUR);
    const archived = (await collect(archivedSegments(stage.store))).flatMap(({ segments }) => segments);
    expect(archived).toHaveLength(3);
    expect((await tableRows(stage.store, "jobs")).map(({ name }) => String(name)).sort()).toEqual([
      "kept",
      "lost",
      "open",
    ]);
    expect((await verifyArchive(stage.store)).problems).toEqual([]);
  });

  it("is not sent again by a repetition in the same hour", async () => {
    await restore();
    expect(await restore({ now: NOW + MINUTE })).toMatchObject({ segments: 3, known: 3, late: 0 });
    expect(stage.ports.log.allPacks).toHaveLength(3);
  });

  it("arrives now although the log keeps nothing of its age, because no store has it", async () => {
    expect(await restore({ now: EIGHT + 431 * 24 * HOUR })).toMatchObject({ late: 2, expired: 0 });
  });
});

describe("a segment that the log lacks and the archive has", () => {
  it("comes back to the place where it arrived first", async () => {
    const log = new MemoryPackedLog();
    expect(await restore({ log })).toMatchObject({ segments: 3, known: 0, late: 1 });
    expect(hoursOf(log)).toContain("2026112108");
  });
});

describe("a segment of an hour that is open", () => {
  it("comes back to its place, where the archiver will find it", async () => {
    await restore();
    const arrivals = stage.ports.log.allPacks.flatMap(({ items }) => items.map(({ key }) => key.pack?.arrivedAt));
    expect(arrivals).toContain(NOW - MINUTE);
  });
});
