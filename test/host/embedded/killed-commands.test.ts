import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveDatabase } from "../../../src/host/embedded/archive-database.ts";
import { type Embedded, openEmbedded, trackerOn } from "../../../src/host/embedded/embedded-tracker.ts";
import { erasurePorts } from "../../../src/host/embedded/erase-embedded.ts";
import { importArchive } from "../../../src/host/embedded/import-archive.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { eraseData } from "../../../src/log/erasure/command/erase-data.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { unfinishedCommands } from "../../../src/upkeep/replay/unfinished-commands.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { allAnswers } from "../../support/killed/all-answers.ts";
import { KilledError } from "../../support/killed/killed-at.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";
import { Life, mortalDatabase, mortalObjects } from "../../support/killed/mortal-database.ts";

const cluster = clusterNamed("east");
const examples = join(import.meta.dirname, "../../../examples");
/** Its lists have findings that only time shows. */
const files = [join(examples, "phantom-running.ndjson.gz")];
/** All hours of the recording are closed. */
const LATER = Date.UTC(2027, 0, 1);

const folder = mkdtempSync(join(tmpdir(), "outlive-killed-commands-"));
const whole = join(folder, "whole.sqlite");
const tried = join(folder, "tried.sqlite");
const archive = new MemoryObjects();
let count = 0;

function newFile(from?: string): string {
  const path = join(folder, `copy-${count++}.sqlite`);
  if (from !== undefined) copyFileSync(from, path);
  return path;
}

async function within<Result>(path: string, work: (embedded: Embedded) => Promise<Result>): Promise<Result> {
  const embedded = openEmbedded(path);
  try {
    return await work(embedded);
  } finally {
    embedded.close();
  }
}

beforeAll(async () => {
  await within(whole, async (embedded) => {
    await importRecordings(embedded, { clusterName: cluster, files });
    await archiveDatabase(embedded, archive, { now: LATER });
  });
  copyFileSync(whole, tried);
  await within(tried, (embedded) => embedded.replay({ isTrial: true }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command writes to: a file, and an archive that this run may change. */
interface Stage {
  readonly embedded: Embedded;
  readonly archive: MemoryObjects;
}

interface Command {
  /** The database before it; a new one otherwise. */
  readonly before?: () => string;
  readonly run: (stage: Stage) => Promise<unknown>;
}

const target = { level: "job", cluster, namespace: "phantom-running", name: "encode" } as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  replay: { before: () => whole, run: ({ embedded }) => embedded.replay() },
  "replay of a trial": { before: () => whole, run: ({ embedded }) => embedded.replay({ isTrial: true }) },
  switch: {
    before: () => tried,
    run: async ({ embedded }) => {
      // A repetition after the last write would go back.
      if ((await readLivePointer(embedded.meta)).live === "A") await embedded.switchProjection();
    },
  },
  import: { run: ({ embedded }) => importRecordings(embedded, { clusterName: cluster, files }) },
  "archive import": { run: ({ embedded, archive: from }) => importArchive(embedded, from, () => {}) },
  erase: {
    before: () => whole,
    run: ({ embedded, archive: from }) =>
      eraseData(erasurePorts(embedded, { archive: from, settleMillis: 0 }), {
        target,
        by: "alice",
        reason: "request 12",
        at: LATER,
      }),
  },
};

describe.each(Object.entries(COMMANDS))("a killed %s", { timeout: 120_000 }, (_, { before, run }) => {
  it("leaves the old answers, the new ones, or says that it is not finished, and continues", async () => {
    const path = newFile(before?.());
    const old = await within(path, allAnswers);
    const store = new MemoryObjects(archive.objects);
    await within(path, async (embedded) => run({ embedded, archive: store }));
    const after = await within(path, allAnswers);
    let kills = 0;
    for (let killedAt = 0; ; killedAt += 1) {
      const life = new Life(killedAt);
      const copy = newFile(before?.());
      const objects = new MemoryObjects(archive.objects);
      await killed(copy, { life, objects, run });
      if (!life.isKilled) break;
      kills += 1;
      await within(copy, async (embedded) => {
        const unfinished = await unfinishedCommands(embedded.meta);
        const isSaid = unfinished.some(({ affectsAnswers }) => affectsAnswers);
        if (!isSaid) expect([old, after], `killed before write ${killedAt}`).toContainEqual(await allAnswers(embedded));
        await run({ embedded, archive: objects });
        expect(await allAnswers(embedded), `repeated after a kill before write ${killedAt}`).toEqual(after);
        expect(await unfinishedCommands(embedded.meta)).toEqual([]);
      });
    }
    expect(kills).toBeGreaterThan(1);
  });
});

/** Runs a command in a process that is killed. */
async function killed(
  path: string,
  { life, objects, run }: { readonly life: Life; readonly objects: MemoryObjects; readonly run: Command["run"] },
): Promise<void> {
  const database = openDatabase(path);
  try {
    await run({ embedded: trackerOn(mortalDatabase(database, life)), archive: mortalObjects(objects, life) });
  } catch (cause) {
    if (!(cause instanceof KilledError)) throw cause;
  } finally {
    database.close();
  }
}
