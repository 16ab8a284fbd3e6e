// How fast is the archive, how large, and how much memory does it need? A database gets a million Jobs in the 24 hours
// of yesterday: the Jobs of the recording again and again, with new names, uids and times. Then another process
// archives it, and compacts the day. Times are CPU times. `--jobs 20000` is a quick run. `--keep DIR` keeps database
// and archive.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { openEmbedded } from "../src/embedded/embedded-tracker.ts";
import type { JobFact } from "../src/job/model/fact.ts";
import { isJobFact } from "../src/job/model/fact.ts";
import { decodeClusterName } from "../src/job/model/ids.ts";
import { type Measure, report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";
import { recordedFacts } from "./measuring/recorded.ts";

const options = benchOptions(["jobs", "keep"]);
const JOBS = options.positive("jobs", 1_000_000);
const HOURS = 24;
const HOUR_MS = 3_600_000;
const DAY_MS = HOURS * HOUR_MS;
const YESTERDAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
/** Numbers of facts that are larger are instants. */
const FIRST_INSTANT = 1e12;
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const linkSchema = v.object({
  kind: v.picklist(["hour", "day"]),
  counts: v.object({ segments: v.number(), facts: v.number(), jobs: v.number(), attempts: v.number() }),
  bytes: v.array(v.tuple([v.string(), v.number()])),
  seconds: v.number(),
  maxRssMb: v.number(),
});
type Link = v.InferOutput<typeof linkSchema>;

const kept = options.text("keep");
const folder = kept ?? mkdtempSync(join(tmpdir(), "outlive-bench-"));
mkdirSync(folder, { recursive: true });
const database = join(folder, "jobs.sqlite");
await fill(await recordedJobs());
const links = await archive(join(folder, "archive"));
if (kept === undefined) rmSync(folder, { recursive: true });
report(measuresOf(links));

/** The facts of each Job of the recording. */
async function recordedJobs(): Promise<readonly (readonly JobFact[])[]> {
  const facts = (await recordedFacts()).filter(isJobFact);
  return [...Map.groupBy(facts, ({ jobUid }) => jobUid).values()];
}

async function fill(templates: readonly (readonly JobFact[])[]): Promise<void> {
  const cluster = decodeClusterName("bench");
  if (cluster === undefined) throw new Error("bench is a name of a cluster");
  const embedded = openEmbedded(database);
  for (let hour = 0; hour < HOURS; hour += 1) {
    const begin = YESTERDAY + hour * HOUR_MS;
    const [from, to] = [hour, hour + 1].map((border) => Math.floor((JOBS * border) / HOURS));
    const facts = jobsFrom(templates, { from: from ?? 0, to: to ?? 0, begin });
    const imported = await embedded.importFacts(facts, { cluster, now: begin + HOUR_MS - 1 });
    if (imported.refused.length > 0) throw new Error(imported.refused[0]);
    process.stderr.write(`imported ${to} Jobs, ${Math.round(process.cpuUsage().user / 1e6)} s of CPU\n`);
  }
  embedded.close();
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly begin: number;
}

/** The Jobs of an hour begin one after the other, and all of them end in it. */
async function* jobsFrom(
  templates: readonly (readonly JobFact[])[],
  { from, to, begin }: Range,
): AsyncGenerator<JobFact[]> {
  for (let n = from; n < to; n += 1) {
    const template = templates[n % templates.length] ?? [];
    const first = template.reduce((least, { at }) => Math.min(least, at), Infinity);
    const shift = begin + Math.floor(((n - from) * HOUR_MS * 0.8) / (to - from)) - first;
    yield template.map((fact) => copyOf(fact, String(Math.floor(n / templates.length)), shift) as JobFact);
  }
}

/** The same value at another time; uids and names have a number that no other copy has. */
function copyOf(value: unknown, number: string, shift: number): unknown {
  if (typeof value === "number") return value > FIRST_INSTANT ? value + shift : value;
  if (Array.isArray(value)) return value.map((item) => copyOf(item, number, shift));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, renamed(key, field, number) ?? copyOf(field, number, shift)]),
  );
}

/** The field as another copy has it; `undefined` if all copies share it. */
function renamed(key: string, field: unknown, number: string): unknown {
  if (Array.isArray(field) && field.every(isUid)) return field.map((uid) => uidOf(uid, number));
  if (typeof field !== "string") return undefined;
  if (key === "jobUid" || key === "podUid") return uidOf(field, number);
  return key === "name" ? `${field}-${number}` : undefined;
}

function isUid(value: unknown): value is string {
  return typeof value === "string" && UID.test(value);
}

/** A uid that looks as random as the original, because equal digits would compress too well. */
function uidOf(uid: string, number: string): string {
  const digits = createHash("md5").update(`${uid}${number}`).digest("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function archive(to: string): Promise<readonly Link[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "archive/export-run.ts"), database, to], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const found: Link[] = [];
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const link = v.parse(linkSchema, JSON.parse(line));
    if (link.counts.facts > 0 || link.kind === "day") process.stderr.write(`${line.slice(0, 100)}\n`);
    found.push(link);
  }
  if ((await ended) !== 0) throw new Error("the export failed");
  return found;
}

function measuresOf(all: readonly Link[]): readonly Measure[] {
  const hours = all.filter(({ kind, counts }) => kind === "hour" && counts.facts > 0);
  const day = all.find(({ kind }) => kind === "day");
  if (day === undefined) throw new Error("the export has no day");
  const seconds = hours.reduce((sum, link) => sum + link.seconds, 0);
  const jobs = hours.reduce((sum, { counts }) => sum + counts.jobs, 0);
  const rows = hours.reduce((sum, { counts }) => sum + counts.jobs + counts.attempts + counts.facts, 0);
  const bytes = (links: readonly Link[], table: string): number =>
    links.flatMap((link) => link.bytes).reduce((sum, [key, size]) => sum + (key === table ? size : 0), 0);
  const name = `archive: ${jobs.toLocaleString("en-US")} Jobs`;
  return [
    { name: `${name}, rows per second of CPU`, value: rows / seconds, unit: "rows/s" },
    { name: `${name}, Jobs per second of CPU`, value: jobs / seconds, unit: "Jobs/s" },
    { name: "archive: CPU time of the 24 hours", value: seconds, unit: "s" },
    { name: "archive: CPU time of the compaction", value: day.seconds, unit: "s" },
    { name: "archive: peak memory of the hours", value: hours.at(-1)?.maxRssMb ?? 0, unit: "MB" },
    { name: "archive: peak memory with the compaction", value: day.maxRssMb, unit: "MB" },
    { name: "archive: bytes per Job, segments", value: bytes(hours, "segments") / jobs, unit: "B" },
    ...["jobs", "attempts", "facts"].map((table) => ({
      name: `archive: bytes per Job, ${table}, compacted`,
      value: bytes([day], table) / jobs,
      unit: "B",
    })),
    { name: "archive: rows", value: rows, unit: "rows" },
  ];
}
