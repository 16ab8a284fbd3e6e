import { describe, expect, it } from "vitest";
import type { Log } from "../../../src/ports/log.ts";
import { archivedBatches } from "../../../src/upkeep/restore/archived-batches.ts";
import { restoreSegments } from "../../../src/upkeep/restore/restore-segments.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { RestoredScene, segmentsIn } from "../../support/archive/restored-scene.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";

const NOW = EIGHT + 24 * HOUR;

/** An archive of three hours, of which the second one has no segments. */
async function archived(): Promise<PackedScene> {
  const scene = new PackedScene();
  for (const [index, name] of ["a", "b", "c", "d", "e"].entries()) {
    const at = EIGHT + (index < 3 ? 0 : 2 * HOUR) + index * MINUTE;
    await scene.tell(endedJob({ name, createdAt: at - HOUR }), at, index === 1 ? at + 10 * MINUTE : at);
  }
  await scene.archive(EIGHT + 4 * HOUR);
  return scene;
}

function segmentFiles({ store }: PackedScene): readonly string[] {
  return store.keys.filter((key) => key.startsWith("segments/"));
}

function restore(from: PackedScene, to: RestoredScene, process = new Process(Number.POSITIVE_INFINITY)) {
  const meta = process.over(to.meta);
  const { append } = process.over({ append: to.append });
  const log: Log = {
    append: (item) => to.log.append(item),
    read: (key) => to.log.read(key),
    readDay: (day, options) => to.log.readDay(day, options),
    packs: process.over(to.log.packs),
  };
  const ports = { ...to.ports, append, log };
  return restoreSegments(ports, archivedBatches({ store: from.store, meta }));
}

describe("a log that is restored from an archive", () => {
  it("has the same segments, each in the hour in which it arrived", async () => {
    const from = await archived();
    const to = new RestoredScene(NOW);
    expect(await restore(from, to)).toEqual({ segments: 5, known: 0, late: 0, expired: 0, setAside: 0 });
    expect(to.segments).toEqual(segmentsIn(from.ports.log));
    expect(new Set(to.log.allPacks.map(({ hour }) => hour.hour))).toEqual(
      new Set(from.ports.log.allPacks.map(({ hour }) => hour.hour)),
    );
  });

  it("gives the same segment files again, whatever the number of its shards", async () => {
    const from = await archived();
    const to = new RestoredScene(NOW, 7);
    await restore(from, to);
    const again = new PackedScene();
    await again.adopt(to);
    await again.archive(EIGHT + 4 * HOUR);
    expect(segmentFiles(from)).toHaveLength(2);
    expect(segmentFiles(again)).toEqual(segmentFiles(from));
  });

  it("is complete after a run that was killed at any step was repeated, and nothing is twice in it", async () => {
    const from = await archived();
    let kills = 0;
    for (let countdown = 0; ; countdown += 1) {
      const to = new RestoredScene(NOW);
      const isKilled = await restore(from, to, new Process(countdown)).then(
        () => false,
        (cause: unknown) => cause instanceof KilledError,
      );
      const { known } = await restore(from, to);
      expect(to.segments).toEqual(segmentsIn(from.ports.log));
      if (!isKilled) {
        expect(known).toBe(5);
        break;
      }
      kills += 1;
    }
    expect(kills).toBeGreaterThan(6);
  });

  it("sends again what could not be written, and fails if that does not help", async () => {
    const from = await archived();
    const to = new RestoredScene(NOW);
    to.log.takes = 3;
    await expect(restore(from, to)).rejects.toThrow("The store is unavailable. Run the command again");
    to.log.takes = Number.POSITIVE_INFINITY;
    expect(await restore(from, to)).toMatchObject({ segments: 5, setAside: 0 });
    expect(to.segments).toEqual(segmentsIn(from.ports.log));
  });

  it("is not complete if what was appended cannot be read back", async () => {
    const from = await archived();
    const to = new RestoredScene(NOW);
    const ports = { ...to.ports, append: async (all: readonly unknown[]) => all.map(() => LIE) };
    const batches = archivedBatches({ store: from.store, meta: to.meta });
    await expect(restoreSegments(ports, batches)).rejects.toThrow("the log does not have them");
  });
});

const LIE = { outcome: "appended", shard: 0 } as const;
