import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { verifyProjection } from "../../../src/upkeep/replay/verify-projection.ts";
import { scrape, total } from "../../support/stores/metered-tracker.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-killed-"));
const running = new Set<ChildProcess>();
afterAll(async () => {
  // Some run only where a test gave up waiting for them.
  await Promise.all([...running].map((child) => (child.kill("SIGKILL"), once(child, "close"))));
  rmSync(folder, { recursive: true, force: true });
});

const DATABASES = 5;
const CUTS_EACH = 10;
/** Differs in each run. Set it to the seed of a failure for the same cuts; the progress before each cut differs. */
const seed = Date.now() % 1_000_000;

interface Ended {
  readonly lines: number;
  readonly exitCode: number | null;
}

/**
 * Imports the story. `cut` decides when the process is killed with SIGKILL: after a number of turns, and then of
 * milliseconds.
 */
function importStory(path: string, cut?: { readonly turns: number; readonly millis: number }): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "import-in-process.ts"), path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  let lines = 0;
  let isDue = false;
  const kill = () => {
    if (cut === undefined || isDue || lines < cut.turns) return;
    isDue = true;
    setTimeout(() => child.kill("SIGKILL"), cut.millis);
  };
  kill();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    lines += text.split("\n").length - 1;
    kill();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ lines, exitCode }));
  });
}

/** What readers can see of the Jobs, versions aside. */
function contentsOf(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare("SELECT * FROM jobs_a ORDER BY cluster, job_uid").all();
    return rows.map((row) => {
      const { version: _, bytes, ...columns } = row;
      return { ...columns, bytes: bytes instanceof Uint8Array ? Buffer.from(bytes).toString("base64") : bytes };
    });
  } finally {
    database.close();
  }
}

async function mismatchesIn(path: string): Promise<readonly unknown[]> {
  const embedded = openEmbedded(path);
  const { log, meta, projections } = embedded;
  try {
    return (await verifyProjection({ log, meta, jobs: await liveJobs(projections, meta) })).mismatches;
  } finally {
    embedded.close();
  }
}

/** What a scrape shows: as it is, after a replay, and after the switch of a trial. */
async function metricsAfterSwitches(path: string): Promise<readonly Readonly<Record<string, number>>[]> {
  const embedded = openEmbedded(path);
  try {
    const before = await scrape(embedded);
    await embedded.replay();
    const replayed = await scrape(embedded);
    await embedded.replay({ isTrial: true });
    expect((await embedded.switchProjection()).outcome).toBe("switched");
    return [before, replayed, await scrape(embedded)];
  } finally {
    embedded.close();
  }
}

/** Numbers below 1 that follow from the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("an import into a file", () => {
  let whole: readonly unknown[] = [];
  let metrics: Readonly<Record<string, number>> = {};
  let turns = 0;

  beforeAll(async () => {
    const path = join(folder, "whole.sqlite");
    const { lines, exitCode } = await importStory(path);
    expect(exitCode).toBe(0);
    turns = lines;
    whole = contentsOf(path);
    expect(whole.length).toBeGreaterThan(100);
    [metrics = {}] = await metricsAfterSwitches(path);
    expect(total(metrics, "outlive_attempts_total")).toBeGreaterThan(500);
    expect(await mismatchesIn(path)).toEqual([]);
  });

  it(`ends in the same bytes after ${DATABASES * CUTS_EACH} kills and restarts (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    let killed = 0;
    const paths = Array.from({ length: DATABASES }, (_, number) => join(folder, `cut-${number}.sqlite`));
    for (const [number, path] of paths.entries()) {
      for (let cut = 0; cut < CUTS_EACH; cut += 1) {
        const { exitCode } = await importStory(path, {
          turns: Math.floor(random() * turns),
          millis: Math.floor(random() * 12),
        });
        if (exitCode === null) killed += 1;
      }
      expect((await importStory(path)).exitCode).toBe(0);
      expect(contentsOf(path), `database ${number}, seed ${seed}`).toEqual(whole);
      expect(await mismatchesIn(path)).toEqual([]);
    }
    // Each takes two replays: one database is enough, since all have the same bytes.
    const [first = ""] = paths;
    expect(await metricsAfterSwitches(first), `database 0, seed ${seed}`).toEqual([metrics, metrics, metrics]);
    expect(killed).toBeGreaterThan((DATABASES * CUTS_EACH) / 2);
  });

  it("by two processes at once loses nothing and counts nothing twice", async () => {
    const path = join(folder, "both.sqlite");
    const ended = await Promise.all([importStory(path), importStory(path)]);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(contentsOf(path)).toEqual(whole);
    expect(await mismatchesIn(path)).toEqual([]);
  });
});
