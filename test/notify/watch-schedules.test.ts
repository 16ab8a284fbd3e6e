import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import type { Subject } from "../../src/notify/subject.ts";
import { ScheduleWatch } from "../../src/notify/watch-schedules.ts";
import { cronJobKey } from "../../src/ports/meta-key.ts";
import { jobUid } from "../support/facts/names.ts";
import { countedStore } from "../support/stores/counted-store.ts";
import { clusterOf, listedJob, rowOf, storesWith } from "../support/story/listed-job.ts";

const HOUR = 3_600_000;
const hour = (hours: number): Instant => Date.parse("2026-01-01T00:00:00Z") + hours * HOUR;
const stamp = { epoch: 0, resourceVersion: 1 };

/** The run of an hour, which takes half an hour. */
function run(scheduled: number, said: Partial<JobAnswer> = {}): JobAnswer {
  return listedJob({
    name: `hourly-${hour(scheduled) / 60_000}`,
    uid: `u${scheduled}`,
    owner: { kind: "CronJob", name: "hourly", uid: "c1" },
    scheduledAt: formatInstant(hour(scheduled)),
    createdAt: formatInstant(hour(scheduled)),
    startedAt: formatInstant(hour(scheduled)),
    finishedAt: formatInstant(hour(scheduled + 0.5)),
    ...said,
  });
}

interface Scene {
  readonly jobs: readonly JobAnswer[];
  readonly heardAt: Instant;
  readonly cronJob?: Readonly<Record<string, unknown>>;
  readonly heartbeat?: Readonly<Record<string, unknown>>;
  readonly deletedAt?: Instant;
}

/** An hourly CronJob of cluster `east`, and its runs. */
async function stores({ jobs, heardAt, cronJob, heartbeat = { serverVersion: "v1.36.3" }, deletedAt }: Scene) {
  const ports = await storesWith(jobs);
  const named = { namespace: "batch", name: "hourly", cronJobUid: "c1" };
  const spec = { createdAt: hour(0), generation: 1, schedule: "0 * * * *", suspend: false, concurrencyPolicy: "Allow" };
  const observed = { ...stamp, at: hour(0), kind: "CronJobObserved", ...named, ...spec, ...cronJob };
  const deleted =
    deletedAt === undefined ? {} : { deleted: { ...stamp, at: deletedAt, kind: "CronJobDeleted", ...named } };
  const value = canonical({ cronJobUid: "c1", observed, specs: [observed], ...deleted });
  await ports.meta.write("cronjob", cronJobKey(clusterOf("east"), "c1"), { value, expected: 0 });
  const known = await ports.meta.read("cluster", "east");
  const heard = { observed: { ...stamp, kind: "ClusterObserved", at: heardAt, ...heartbeat } };
  await ports.meta.write("cluster", "east", { value: canonical(heard), expected: known?.version ?? 0 });
  return ports;
}

async function subjects(scene: Scene, now: Instant, options = {}): Promise<readonly Subject[]> {
  const found: Subject[] = [];
  for await (const one of new ScheduleWatch().subjects(await stores(scene), { now, ...options })) found.push(one);
  return found;
}

/** The kinds of the findings about each subject. */
async function kinds(scene: Scene, now: Instant, options = {}): Promise<readonly string[]> {
  const found = await subjects(scene, now, options);
  return found.map(({ kind, findings }) => [kind, ...findings.map((finding) => finding.kind)].join(" "));
}

describe("a CronJob that is watched", () => {
  const now = hour(3.5);
  it.each<[string, Omit<Scene, "heardAt">, string]>([
    ["with all its runs has no findings", { jobs: [run(1), run(2), run(3)] }, "CronJob"],
    ["without the last run has missed it", { jobs: [run(1), run(2)] }, "CronJob MissedRun"],
    ["that is suspended has missed nothing", { jobs: [run(1)], cronJob: { suspend: true } }, "CronJob"],
    ["that was deleted has no findings", { jobs: [run(1)], deletedAt: hour(2.5) }, "CronJob"],
    [
      "whose last runs failed",
      { jobs: [1, 2, 3].map((at) => run(at, { verdict: { state: "Failed", final: true, basis: "both" } })) },
      "CronJob ConsecutiveFailures",
    ],
  ])("%s", async (_, scene, expected) => {
    expect(await kinds({ ...scene, heardAt: now }, now)).toEqual(["Cluster", expected]);
  });

  it("has the runs that ended, and the labels of the newest run", async () => {
    const { finishedAt: _, ...newest } = run(3, {
      labels: { team: "new" },
      verdict: { state: "Running", final: false, basis: "both" },
    });
    const found = await subjects({ jobs: [run(1), run(2, { labels: { team: "old" } }), newest], heardAt: now }, now);
    expect(found[1]).toMatchObject({ labels: { team: "new" } });
    expect(found[1]?.runs?.map(({ scheduledAt }) => scheduledAt)).toEqual([hour(1), hour(2)]);
  });

  it("has its own labels and annotations for Outlive, before those of its runs", async () => {
    const cronJob = { marks: { "outlive.dev/notify": "team-a" } };
    const jobs = [run(1, { labels: { team: "a", "outlive.dev/notify": "team-b" } })];
    const found = await subjects({ jobs, cronJob, heardAt: now }, now);
    expect(found[1]).toMatchObject({ labels: { team: "a", "outlive.dev/notify": "team-a" } });
  });

  it("is as of the last data from its cluster, which is a subject by itself", async () => {
    const found = await subjects({ jobs: [run(1), run(2)], heardAt: hour(2.9) }, now);
    expect(found).toMatchObject([
      {
        kind: "Cluster",
        uid: "east",
        findings: [
          { kind: "ClusterSilent", message: "No data from the exporter since 2026-01-01T02:54:00Z (36 min)." },
        ],
      },
      { kind: "CronJob", uid: "c1", namespace: "batch", name: "hourly", findings: [], at: "2026-01-01T02:54:00Z" },
    ]);
  });

  it("skips a due time during a manual run under policy Forbid", async () => {
    const { finishedAt: _, ...manual } = run(2.9, {
      name: "by-hand",
      uid: "m1",
      verdict: { state: "Running", final: false, basis: "both" },
    });
    const scene = { jobs: [run(1), run(2)], cronJob: { concurrencyPolicy: "Forbid" }, heardAt: now };
    expect(await kinds(scene, now)).toEqual(["Cluster", "CronJob MissedRun"]);
    expect(await kinds({ ...scene, jobs: [...scene.jobs, manual] }, now)).toEqual([
      "Cluster",
      "CronJob OverlappingRun",
    ]);
  });

  it("of a recording is left out, unless a test of rules asks for it", async () => {
    const scene = { jobs: [run(1)], heardAt: now, heartbeat: {} };
    expect(await kinds(scene, now)).toEqual([]);
    expect(await kinds(scene, now, { includesRecordings: true })).toEqual(["CronJob MissedRun"]);
  });
});

describe("a CronJob that is on time by its status", () => {
  const now = hour(3.5);
  const status = { lastScheduledAt: hour(3), lastSuccessfulAt: hour(3) + 30_000 };
  const onTime = { cronJob: status, heardAt: now };
  const unfinished: Partial<JobAnswer> = { verdict: { state: "Running", final: false, basis: "both" } };

  function inProgress(scheduled: number): JobAnswer {
    const { finishedAt: _, ...rest } = run(scheduled, unfinished);
    return rest;
  }

  /** What is found of each CronJob, and how many runs are read by their names. */
  async function looked(scene: Scene, isNoted = false) {
    const ports = await stores(scene);
    const requests: string[] = [];
    const counted = { ...ports, jobs: countedStore(ports.jobs, requests) };
    const found: Subject[] = [];
    const options = { now, isNoted: () => isNoted };
    for await (const one of new ScheduleWatch().subjects(counted, options)) found.push(one);
    return {
      cronJobs: found.filter(({ kind }) => kind === "CronJob").map(({ findings }) => findings.map(({ kind }) => kind)),
      reads: requests.filter((request) => request === "listByName").length,
    };
  }

  it("is not looked at", async () => {
    expect(await looked({ ...onTime, jobs: [run(1), run(2), run(3)] })).toEqual({ cronJobs: [], reads: 0 });
  });

  it("is looked at while a message about it may have to be resolved", async () => {
    const { cronJobs, reads } = await looked({ ...onTime, jobs: [run(1), run(2), run(3)] }, true);
    expect(cronJobs).toEqual([[]]);
    expect(reads).toBeGreaterThan(0);
  });

  it("is looked at if an earlier run is still in progress", async () => {
    expect(await looked({ ...onTime, jobs: [run(1), inProgress(2), run(3)] })).toMatchObject({
      cronJobs: [["OverlappingRun"]],
    });
  });

  it("is looked at if a run of the last hour is missing", async () => {
    const halfHourly = { ...status, schedule: "0,30 * * * *", lastScheduledAt: now, lastSuccessfulAt: now };
    const last = run(3.5, { name: `hourly-${now / 60_000}`, uid: "last" });
    expect(await looked({ heardAt: hour(3.6), cronJob: halfHourly, jobs: [run(2), run(2.5), last] })).toMatchObject({
      cronJobs: [["MissedRun"]],
    });
  });

  it("is looked at until it has no findings", async () => {
    const ports = await stores({ ...onTime, jobs: [run(1), inProgress(2), run(3)] });
    const watch = new ScheduleWatch();
    const found: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      for await (const { kind, findings } of watch.subjects(ports, { now, isNoted: () => false })) {
        if (kind === "CronJob") found.push(`${turn} ${findings.map((one) => one.kind).join()}`);
      }
      if (turn === 0) await endRun(ports, run(2));
    }
    expect(found).toEqual(["0 OverlappingRun", "1 "]);
  });
});

async function endRun(ports: Awaited<ReturnType<typeof stores>>, ended: JobAnswer): Promise<void> {
  const key = { cluster: clusterOf(ended.cluster), jobUid: jobUid(ended.uid) };
  await ports.jobs.write(key, { bytes: new Uint8Array(), row: rowOf(ended) }, 1);
}
