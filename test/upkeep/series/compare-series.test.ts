import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { erasurePorts } from "../../../src/host/embedded/erase-embedded.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { eraseData } from "../../../src/log/erasure/command/erase-data.ts";
import type { ErasureTarget } from "../../../src/log/erasure/erasure-target.ts";
import { listDecoded } from "../../../src/ports/records/record-codec.ts";
import { seriesRecord } from "../../../src/projection/series/series-record.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { OBSERVED_AT, writeSeriesRecording } from "../../support/recordings/series-recording.ts";

const cluster = clusterNamed("east");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let folder: string;
let embedded: Embedded;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-series-"));
  embedded = openEmbedded(join(folder, "outlive.sqlite"));
  await importSeries([
    { name: "nightly", seconds: secondsOf(40) },
    { name: "hourly", seconds: [5, 6] },
  ]);
});

afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true });
});

async function importSeries(series: Parameters<typeof writeSeriesRecording>[1]["series"]): Promise<void> {
  const file = join(folder, "series.ndjson");
  writeSeriesRecording(file, { series });
  await importRecordings(embedded, { clusterName: "east", files: [file] });
}

const secondsOf = (runs: number) => Array.from({ length: runs }, (_, at) => 600 + at);

/** The seconds of the runs in each record. */
async function stored(): Promise<readonly (readonly number[])[]> {
  const records: (readonly number[])[] = [];
  for await (const { value } of listDecoded(embedded.meta, seriesRecord, "")) {
    records.push(value.map(({ millis }) => millis / 1000));
  }
  return records.toSorted((a, b) => a.length - b.length);
}

async function keyOf(length: number): Promise<string> {
  for await (const { key, value } of listDecoded(embedded.meta, seriesRecord, "")) {
    if (value.length === length) return key;
  }
  throw new Error(`No record has ${length} runs.`);
}

async function overwrite(key: string, value: string): Promise<void> {
  const known = await embedded.meta.read("series", key);
  await embedded.meta.write("series", key, { value, expected: known?.version ?? 0 });
}

const mismatches = async () => (await embedded.verify()).records.map(({ kind, problem }) => `${kind} ${problem}`);

describe("the records of series", () => {
  it("are the same as their Jobs say, and a replay changes none", async () => {
    const before = await stored();
    expect(before.map(({ length }) => length)).toEqual([2, 40]);
    expect(await mismatches()).toEqual([]);
    await embedded.replay();
    expect(await stored()).toEqual(before);
  });

  it.each([
    ["different", async () => overwrite(await keyOf(40), seriesRecord.encode([]))],
    ["different", async () => overwrite(await keyOf(2), "{")],
    ["missing", async () => embedded.eraser.removeRecord("series", await keyOf(40))],
    ["additional", async () => overwrite("east#batch#0000000000000000", await valueOf(2))],
  ])("are named by verify if they are %s, and repaired by a replay", async (problem, damage) => {
    const before = await stored();
    await damage();
    expect(await mismatches()).toEqual([`series ${problem}`]);
    await embedded.replay();
    expect(await stored()).toEqual(before);
    expect(await mismatches()).toEqual([]);
  });

  it("keep the runs whose Jobs have expired, and expire with the last Job of their series", async () => {
    const before = await stored();
    await embedded.forget({ days: 30, now: OBSERVED_AT - 20 * HOUR + 30 * DAY });
    expect(await mismatches()).toEqual([]);
    await embedded.replay();
    expect(await stored()).toEqual(before);
    await embedded.forget({ days: 30, now: OBSERVED_AT + 31 * DAY });
    expect(await stored()).toEqual([]);
    expect(await mismatches()).toEqual([]);
  });
});

async function valueOf(length: number): Promise<string> {
  return (await embedded.meta.read("series", await keyOf(length)))?.value ?? "";
}

async function erase(target: ErasureTarget): Promise<void> {
  const ports = erasurePorts(embedded, { settleMillis: 0 });
  await eraseData(ports, { target, by: "alice", reason: "request 12", at: OBSERVED_AT + DAY });
}

describe("the records of series after an erasure", () => {
  it("lack the run of an erased Job", async () => {
    const name = `nightly-${(OBSERVED_AT - HOUR) / 1000}`;
    await erase({ level: "job", cluster, namespace: "batch", name });
    expect((await stored())[1]).toEqual(Array.from({ length: 39 }, (_, at) => 600 + at));
    expect(await mismatches()).toEqual([]);
  });

  it("have an older run instead if they were full", async () => {
    await importSeries([{ name: "weekly", seconds: secondsOf(80) }]);
    expect((await stored())[2]).toEqual(secondsOf(80).slice(5));
    await erase({ level: "job", cluster, namespace: "batch", name: `weekly-${(OBSERVED_AT - HOUR) / 1000}` });
    expect((await stored())[2]).toEqual(secondsOf(79).slice(4));
    expect(await mismatches()).toEqual([]);
  });

  it("are gone if all of their Jobs are erased one by one", async () => {
    for (const ago of [1, 2]) {
      await erase({ level: "job", cluster, namespace: "batch", name: `hourly-${(OBSERVED_AT - ago * HOUR) / 1000}` });
    }
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    { level: "namespace", cluster, namespace: "batch" },
    { level: "cluster", cluster },
  ] as const)("are gone with their $level", async (target) => {
    await erase(target);
    expect(await stored()).toEqual([]);
  });
});
