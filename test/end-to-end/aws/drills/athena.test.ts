import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourBegin, hourOf } from "../../../../src/archive/layout/archive-hour.ts";
import type { JobAnswer } from "../../../../src/explain/answer-document.ts";
import type { Fact } from "../../../../src/job/model/fact.ts";
import { endedJob } from "../../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { skipWithout } from "../../../support/running/skip-without.ts";
import { createAthenaClient, type ResultRow } from "../athena-client.ts";
import { createApiClient, jobPath } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo, TRIAL } from "../deployed-stack.ts";
import { isArchived } from "../describe-archive.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldWithAttempts, type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools } from "../stack-tools.ts";

// emulator.py reads it: an environment of Python for this test alone, because other tests need no engine.
process.env["OUTLIVE_ATHENA"] = "true";
const wanted = emulatorWanted({ ...process.env, OUTLIVE_EMULATOR: "ministack" });
const isSkipped =
  wanted.outcome === "skip" ||
  skipWithout(process.env["AWS_ENDPOINT_URL"] === undefined, {
    dependency: "MiniStack with DuckDB",
    untested: "the named queries of Athena",
    reason: "another emulator is given",
  });
const HOUR = 3_600_000;

let deployed: DeployedStack | undefined;
let athena: ReturnType<typeof createAthenaClient>;
let answers: readonly JobAnswer[];
let named: ReadonlyMap<string, string>;
const NIGHT = hourBegin(hourOf(Date.now()) - 24);

/** A CronJob that runs every hour, and missed two runs after the third. */
function cronRuns(): RecordedCluster {
  const owner = { kind: "CronJob", name: "nightly", uid: "cron-1" };
  const facts = [0, 1, 2, 5, 6].flatMap((hour): readonly Fact[] =>
    endedJob({ name: `nightly-${hour}`, createdAt: NIGHT + hour * HOUR, succeeds: hour !== 2 }).map((fact) =>
      fact.kind === "JobCreated" ? { ...fact, owner } : fact,
    ),
  );
  return { cluster: clusterNamed("cron"), facts };
}

beforeAll(async () => {
  if (isSkipped) return;
  const recordings = await recordedClusters();
  const clusters = [
    ...recordings.filter(({ cluster }) => ["pod-gc-ate-success", "deadline"].includes(cluster)),
    cronRuns(),
  ];
  deployed = await deployStack("ministack", { ...TRIAL, archive: "true" });
  speakTo(deployed);
  const tools = createStackTools(deployed);
  for (const [index, cluster] of clusters.entries()) {
    const arrivedAt = hourBegin(hourOf(Date.now()) - 4 + index) + 1_000;
    await tools.appendAt(sealed(cluster, arrivedAt - 500), arrivedAt);
  }
  const folded = await Promise.all(clusters.map(foldWithAttempts));
  answers = folded.flatMap(({ jobs }) => jobs);
  await knowsDeletions(deployed);
  await poll("the closed hours are archived", async () => (isArchived(await tools.archive()) ? true : undefined));
  athena = createAthenaClient(deployed);
  named = await athena.namedQueries();
});
afterAll(() => deployed?.stop());

/** Resolves when the stage has what `outlive fold` knows of each deletion: audit events come after the facts. */
async function knowsDeletions(stack: DeployedStack): Promise<void> {
  const api = createApiClient(stack.apiUrl);
  const pending = new Set(answers.filter(({ attempts = [] }) => attempts.length > 0));
  await poll("each Job has its deletions", async () => {
    for (const job of pending) {
      const { status, text } = await api.ask(`${jobPath(job)}/pods?uid=${job.uid}&limit=500`);
      if (status !== 200) return undefined;
      const { items = [] } = JSON.parse(text) as { readonly items?: JobAnswer["attempts"] };
      if (JSON.stringify(deletions(items)) !== JSON.stringify(deletions(job.attempts))) return undefined;
      pending.delete(job);
    }
    return true;
  });
}

function deletions(attempts: JobAnswer["attempts"] = []): readonly string[] {
  return attempts
    .filter(({ deletedAt }) => deletedAt !== undefined)
    .map(({ deletedBy }) => `${deletedBy?.actor ?? ""} ${deletedBy?.cause ?? ""} ${deletedBy?.confidence ?? ""}`)
    .toSorted();
}

/** The recordings become older than the days that the queries read. */
function run(name: string, edit: (sql: string) => string = (sql) => sql): Promise<readonly ResultRow[]> {
  const sql = named.get(name);
  if (sql === undefined) throw new Error(`There is no named query ${name}.`);
  return athena.run(edit(sql.replaceAll("INTERVAL '90' DAY", "INTERVAL '36500' DAY")));
}

function counted(keys: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function countsIn(
  rows: readonly ResultRow[],
  { by, count }: { readonly by: readonly string[]; readonly count: string },
) {
  return Object.fromEntries(
    rows.map((row) => [by.map((column) => row[column] ?? "").join(" "), Number(row[count])] as const),
  );
}

const finished = (): readonly JobAnswer[] => answers.filter(({ finishedAt }) => finishedAt !== undefined);
const seconds = (from: string | undefined, to: string | undefined): number =>
  Math.floor(Date.parse(to ?? "") / 1_000) - Math.floor(Date.parse(from ?? "") / 1_000);

/** The run time of the Pods that succeeded after the Job had as many successes as it needs. */
function needlessSeconds({ attempts = [], spec }: JobAnswer): number {
  return attempts
    .filter(({ outcome }) => outcome === "Succeeded")
    .toSorted((a, b) => Date.parse(a.finishedAt ?? "") - Date.parse(b.finishedAt ?? ""))
    .slice(spec.completions ?? 0)
    .reduce((sum, { startedAt, finishedAt }) => sum + seconds(startedAt, finishedAt), 0);
}

describe.skipIf(isSkipped)("Athena on the archive of a stage", () => {
  it("counts failed Jobs by cause and team, as they fold", async () => {
    const rows = await run("failures-by-cause-and-team");
    const failed = answers.filter(({ verdict }) => verdict.state === "Failed");
    expect(failed.length).toBeGreaterThan(2);
    expect(countsIn(rows, { by: ["team", "cause_category"], count: "jobs" })).toEqual(
      counted(failed.map(({ labels, cause }) => `${labels["team"] ?? ""} ${cause?.category ?? ""}`)),
    );
  });

  it("sums the hours of Pods of failed Jobs and of needless Pods", async () => {
    const rows = await run("wasted-hours");
    const failed = answers.filter(({ verdict }) => verdict.state === "Failed");
    for (const row of rows) {
      const pods = failed
        .filter(({ cluster, namespace }) => cluster === row["cluster"] && namespace === row["namespace"])
        .flatMap(({ attempts = [] }) => attempts)
        .filter(({ startedAt, finishedAt }) => startedAt !== undefined && finishedAt !== undefined);
      const sum = pods.reduce((total, { startedAt, finishedAt }) => total + seconds(startedAt, finishedAt), 0);
      expect(Number(row["failed_hours"])).toBeCloseTo(sum / 3_600, 2);
    }
    const needless = finished().reduce((total, job) => total + needlessSeconds(job), 0);
    expect(needless).toBeGreaterThan(600);
    const hours = rows.reduce((sum, { needless_hours: each = "0" }) => sum + Number(each), 0);
    expect(hours).toBeCloseTo(needless / 3_600, 2);
    expect(new Set(rows.map(({ cluster }) => cluster))).toEqual(new Set(finished().map(({ cluster }) => cluster)));
  });

  it("has the durations of the finished Jobs of each week", async () => {
    const rows = await run("duration-by-week");
    const timed = finished().filter(({ startedAt }) => startedAt !== undefined);
    expect(rows.reduce((sum, { jobs }) => sum + Number(jobs), 0)).toBe(timed.length);
    const ofMonday = rows.map(({ week = "" }) => new Date(`${week.slice(0, 10)}T00:00:00Z`).getUTCDay());
    expect(new Set(ofMonday)).toEqual(new Set([1]));
    for (const { week = "", p50_seconds: median, p95_seconds: tail } of rows) {
      const begin = Date.parse(`${week.slice(0, 10)}T00:00:00Z`);
      const inWeek = timed.filter(
        ({ finishedAt = "" }) => Math.floor((Date.parse(finishedAt) - begin) / 604_800_000) === 0,
      );
      const durations = inWeek.map(({ startedAt, finishedAt }) => seconds(startedAt, finishedAt)).sort((a, b) => a - b);
      const at = (share: number): number => durations[Math.ceil(share * durations.length) - 1] ?? Number.NaN;
      expect([Number(median), Number(tail)]).toEqual([at(0.5), at(0.95)]);
    }
  });

  it("names who deleted Pods, and how certain that is", async () => {
    const rows = await run("who-deleted-what");
    const deleted = answers.flatMap(({ attempts }) => deletions(attempts));
    expect(deleted.length).toBeGreaterThan(100);
    const columns = ["deleted_by_actor", "deleted_by_cause", "deleted_by_confidence"];
    expect(countsIn(rows, { by: columns, count: "pods" })).toEqual(counted(deleted));
  });

  it("shows missed runs by the largest distance between runs of a CronJob", async () => {
    expect(await run("missed-runs")).toEqual([
      { cluster: "cron", namespace: "shop", owner_name: "nightly", runs: "5", longest_pause_seconds: `${3 * 3_600}` },
    ]);
  });

  it("has every fact about one Job, in order of time", async () => {
    const [job] = answers.filter(({ cluster }) => cluster === "deadline");
    const rows = await run("what-one-job-did", (sql) => sql.replace("'UID'", `'${job?.uid ?? ""}'`));
    const api = createApiClient(deployed?.apiUrl ?? "");
    const history = await api.ask(`${jobPath(job ?? answers[0] ?? fail())}/history?uid=${job?.uid ?? ""}&limit=1000`);
    const { items } = JSON.parse(history.text) as { readonly items: readonly { readonly kind: string }[] };
    // Events have no Job of their own in the table.
    const kinds = items.map(({ kind }) => kind).filter((kind) => kind !== "EventHinted");
    expect(kinds.length).toBeGreaterThan(10);
    expect(counted(rows.map(({ kind = "" }) => kind))).toEqual(counted(kinds));
    const times = rows.map(({ time = "" }) => time);
    expect(times).toEqual([...times].sort());
  });
});

function fail(): never {
  throw new Error("The archive has no Job.");
}
