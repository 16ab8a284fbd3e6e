// How fast is the archive, how large, and how much memory does it need? A database gets a million Jobs in the 24 hours
// of yesterday: one-Pod Jobs of the reference fleet (28 facts each), with `--jobs-of short` others with 11 facts, or
// with `--jobs-of recording` those of the recording, again and again with new names, uids and times. Another process
// archives each hour as soon as it is filled, and then compacts the day. Times are CPU times. `--jobs 20000` is a quick
// run. `--minutes 30` begins no further hour after 30 minutes. `--keep DIR` keeps database and archive, so that DuckDB
// and `outlive summary` can count them.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LONG_BUSY_MILLIS, openEmbedded } from "../src/host/embedded/embedded-tracker.ts";
import type { JobFact } from "../src/job/model/fact.ts";
import { decodeClusterName } from "../src/job/model/ids.ts";
import { type Link, startArchiver } from "./archive/archiver.ts";
import { fleetJobs, type JobTemplate, recordedJobs, shortJobs } from "./archive/job-copies.ts";
import { type Measure, report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";

const options = benchOptions(["jobs", "jobs-of", "minutes", "keep"]);
const JOBS = options.positive("jobs", 1_000_000);
const MINUTES = options.positive("minutes", Infinity);
const HOURS = 24;
const HOUR_MS = 3_600_000;
const DAY_MS = HOURS * HOUR_MS;
const YESTERDAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;

const kept = options.text("keep");
const folder = kept ?? mkdtempSync(join(tmpdir(), "outlive-bench-"));
mkdirSync(folder, { recursive: true });
const database = join(folder, "jobs.sqlite");
const archiver = startArchiver(database, join(folder, "archive"));
const filled = await fill(await templatesOf(options.text("jobs-of") ?? "fleet"));
archiver.archiveUntil(YESTERDAY + DAY_MS);
const links = await archiver.end();
if (kept === undefined) rmSync(folder, { recursive: true });
report([...measuresOf(links), { name: "archive: CPU time of filling the database", value: filled, unit: "s" }]);

async function templatesOf(kind: string): Promise<readonly JobTemplate[]> {
  if (kind === "fleet") return fleetJobs();
  if (kind === "short") return shortJobs();
  if (kind !== "recording") throw new Error(`--jobs-of ${kind} is unknown. Use fleet, short or recording.`);
  const { recordedFacts } = await import("./measuring/recorded.ts");
  return recordedJobs(await recordedFacts());
}

/** Returns the seconds of CPU that it took. */
async function fill(templates: readonly JobTemplate[]): Promise<number> {
  const cluster = decodeClusterName("bench");
  if (cluster === undefined) throw new Error("bench is a name of a cluster");
  const embedded = openEmbedded(database, { busyMillis: LONG_BUSY_MILLIS });
  const endsAt = performance.now() + MINUTES * 60_000;
  for (let hour = 0; hour < HOURS && performance.now() < endsAt; hour += 1) {
    const begin = YESTERDAY + hour * HOUR_MS;
    // One hour is filled while the one before it is archived.
    await archiver.hours(hour - 1);
    const [from = 0, to = 0] = [hour, hour + 1].map((border) => Math.floor((JOBS * border) / HOURS));
    const imported = await embedded.importFacts(jobsFrom(templates, { from, to, begin }), {
      cluster,
      now: begin + HOUR_MS - 1,
    });
    if (imported.refused.length > 0) throw new Error(imported.refused[0]);
    archiver.archiveUntil(begin + HOUR_MS);
    process.stderr.write(`imported ${to} Jobs, ${imported.facts} facts, ${Math.round(cpuSeconds())} s of CPU\n`);
  }
  embedded.close();
  return cpuSeconds();
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly begin: number;
}

/** The Jobs of an hour begin one after the other, and all of them end in it. */
async function* jobsFrom(
  templates: readonly JobTemplate[],
  { from, to, begin }: Range,
): AsyncGenerator<readonly JobFact[]> {
  for (let n = from; n < to; n += 1) {
    const beginsAt = begin + Math.floor(((n - from) * HOUR_MS * 0.8) / (to - from));
    yield templates[n % templates.length]?.copy(n, beginsAt) ?? [];
  }
}

function measuresOf(all: readonly Link[]): readonly Measure[] {
  const hours = all.filter(({ kind, counts }) => kind === "hour" && counts.facts > 0);
  const day = all.find(({ kind }) => kind === "day");
  if (day === undefined) {
    throw new Error("The export has no compacted day. Give the benchmark at least one whole day of Jobs.");
  }
  const seconds = hours.reduce((sum, link) => sum + link.seconds, 0);
  const jobs = hours.reduce((sum, { counts }) => sum + counts.jobs, 0);
  const rows = hours.reduce((sum, { counts }) => sum + counts.jobs + counts.attempts + counts.facts, 0);
  const name = `archive: ${jobs.toLocaleString("en-US")} Jobs`;
  return [
    { name: `${name}, rows per second of CPU`, value: rows / seconds, unit: "rows/s" },
    { name: `${name}, Jobs per second of CPU`, value: jobs / seconds, unit: "Jobs/s" },
    { name: `archive: CPU time of ${hours.length} hours`, value: seconds, unit: "s" },
    { name: "archive: CPU time of the compaction", value: day.seconds, unit: "s" },
    { name: "archive: peak memory of the first hour", value: hours[0]?.maxRssMb ?? 0, unit: "MB" },
    { name: "archive: peak memory of the hours", value: hours.at(-1)?.maxRssMb ?? 0, unit: "MB" },
    { name: "archive: peak memory with the compaction", value: day.maxRssMb, unit: "MB" },
    { name: "archive: bytes per Job, segments", value: bytesOf(hours, "segments") / jobs, unit: "B" },
    ...["jobs", "attempts", "facts"].map((table) => ({
      name: `archive: bytes per Job, ${table}, compacted`,
      value: bytesOf([day], table) / jobs,
      unit: "B",
    })),
    { name: "archive: rows", value: rows, unit: "rows" },
  ];
}

function bytesOf(links: readonly Link[], table: string): number {
  return links.flatMap((link) => link.bytes).reduce((sum, [key, size]) => sum + (key === table ? size : 0), 0);
}
