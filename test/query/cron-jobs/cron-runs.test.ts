import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";
import { canonical } from "../../../src/job/model/canonical.ts";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { listCronJobs } from "../../../src/query/cron-jobs/list-cron-jobs.ts";
import { cronRuns } from "../../../src/query/cron-jobs/cron-runs.ts";
import { clusterOf, listedJob, storesWith } from "../../support/story/listed-job.ts";

const MINUTE = 60_000;
const at = (text: string): number => Date.parse(`2026-01-0${text}Z`);
const wanted = { cluster: clusterOf("east"), namespace: "batch", name: "nightly" };

function instant(millis: number): string {
  return new Date(millis).toISOString();
}

/** The run of a due time, created this many seconds later. */
function run(due: number, delay: number, said: Partial<JobAnswer> = {}): JobAnswer {
  return listedJob({
    name: `nightly-${due / MINUTE}`,
    uid: `u${due}`,
    owner: { kind: "CronJob", name: "nightly", uid: "c1" },
    scheduledAt: formatInstant(due),
    createdAt: instant(due + delay * 1_000),
    startedAt: instant(due + delay * 1_000),
    finishedAt: instant(due + (delay + 60) * 1_000),
    ...said,
  });
}

/** Stores with a CronJob of every six hours in Berlin, and its runs. */
async function stores(
  jobs: readonly JobAnswer[],
  said: Readonly<Record<string, unknown>> = {},
  heardAt = at("2T23:30:00"),
) {
  const ports = await storesWith([...jobs, listedJob({ uid: "other", name: "nightly-x" })]);
  const observed = {
    kind: "CronJobObserved",
    epoch: 0,
    resourceVersion: 1,
    at: at("1T00:00:00"),
    namespace: "batch",
    name: "nightly",
    cronJobUid: "c1",
    createdAt: at("1T12:00:00"),
    generation: 1,
    schedule: "0 */6 * * *",
    timeZone: "Europe/Berlin",
    suspend: false,
    concurrencyPolicy: "Forbid",
    ...said,
  };
  await ports.meta.write("cronjob", cronJobKey(wanted.cluster, "c1"), {
    value: canonical({ cronJobUid: "c1", observed }),
    expected: 0,
  });
  const heartbeat = { kind: "ClusterObserved", epoch: 0, resourceVersion: 1, at: heardAt, serverVersion: "v1.36.3" };
  const known = await ports.meta.read("cluster", "east");
  await ports.meta.write("cluster", "east", {
    value: canonical({ observed: heartbeat }),
    expected: known?.version ?? 0,
  });
  return ports;
}

const query = { since: at("1T00:00:00"), now: at("2T23:30:00"), timeZone: "Europe/Berlin" };

describe("the dates of runs", () => {
  const due = at("2T11:00:00");

  it("are those of the annotation, and a manual run has none, whatever the names say", async () => {
    const ports = await stores([
      run(due, 2, { name: "restored", uid: "renamed" }),
      run(at("2T17:00:00"), 2, { name: `nightly-${due / MINUTE}`, uid: "named-otherwise" }),
      // A Job cannot have the same name again while it exists, but a generation before it can have had it.
      withoutDate(run(due, 90, { uid: "manual-now" })),
      withoutDate(run(due, 95, { name: "nightly-2", uid: "manual-two" })),
    ]);
    const found = await cronRuns(ports, "everything", { wanted, ...query });
    const runs = "answer" in found ? found.answer.runs : [];
    expect(new Map(runs.map(({ uid, scheduledAt, delaySeconds }) => [uid, [scheduledAt, delaySeconds]]))).toEqual(
      new Map([
        ["renamed", [formatInstant(due), 2]],
        ["named-otherwise", [formatInstant(at("2T17:00:00")), 2]],
        ["manual-now", [undefined, undefined]],
        ["manual-two", [undefined, undefined]],
      ]),
    );
    expect("answer" in found && found.answer.delaySeconds).toMatchObject({ p50: 2, max: 2 });
  });

  it("stay those of their time after the schedule has changed", async () => {
    const ports = await stores([run(due, 2)], { schedule: "30 3 * * *", generation: 2 });
    const found = await cronRuns(ports, "everything", { wanted, ...query });
    expect(found).toMatchObject({ answer: { runs: [{ scheduledAt: formatInstant(due), delaySeconds: 2 }] } });
  });
});

function withoutDate(run: JobAnswer): JobAnswer {
  const { scheduledAt: _, ...manual } = run;
  return manual;
}

describe("the runs of a CronJob", () => {
  it("are counted by day of the reader's zone, with those that are missing", async () => {
    const ports = await stores([
      run(at("1T17:00:00"), 2),
      run(at("1T23:00:00"), 1, { verdict: { state: "Failed", final: true, basis: "both" } }),
      run(at("2T11:00:00"), 10, { finishedAt: "2026-01-02T18:00:00Z" }),
      listedJob({
        name: "by-hand",
        uid: "hand",
        owner: { kind: "CronJob", name: "nightly", uid: "c1" },
        createdAt: "2026-01-02T09:00:00Z",
      }),
    ]);
    const found = await cronRuns(ports, "everything", { wanted, ...query });
    expect(found).toMatchObject({
      answer: {
        cronJob: { schedule: "0 */6 * * *", timeZone: "Europe/Berlin" },
        days: [
          { day: "2026-01-01", expected: 1, runs: 1, complete: 1, failed: 0, missed: 0 },
          { day: "2026-01-02", expected: 4, runs: 3, complete: 2, failed: 1, missed: 1, skipped: 1 },
          { day: "2026-01-03", expected: 1, runs: 0, complete: 0, failed: 0, missed: 1 },
        ],
        missed: [
          { dueAt: "2026-01-02T23:00:00Z", cause: "missed", mayStartLate: true },
          { dueAt: "2026-01-02T17:00:00Z", cause: "skipped", during: `nightly-${at("2T11:00:00") / MINUTE}` },
          { dueAt: "2026-01-02T05:00:00Z", cause: "missed" },
        ],
        unobserved: [],
        findings: [
          {
            kind: "MissedRun",
            message: "No run was created for the due time 2026-01-02T23:00:00Z; it may still start late.",
            since: "2026-01-02T23:00:00Z",
          },
        ],
        delaySeconds: { p50: 2, max: 10 },
        runs: [{ delaySeconds: 10 }, { uid: "hand" }, { state: "Failed" }, { durationSeconds: 60 }],
      },
    });
  });

  it("are only counted if no more is asked for", async () => {
    const ports = await stores([run(at("1T17:00:00"), 2), run(at("2T11:00:00"), 10)]);
    const whole = await cronRuns(ports, "everything", { wanted, ...query });
    const counted = await cronRuns(ports, "everything", { wanted, ...query, daysOnly: true });
    if (whole.outcome !== "answered") throw new Error("The CronJob is known.");
    expect(whole.answer.runs).toHaveLength(2);
    expect(counted).toEqual({
      outcome: "answered",
      answer: { ...whole.answer, runs: [], missed: [], unobserved: [] },
    });
  });

  it("are unknown, not missed, while the cluster is silent", async () => {
    const ports = await stores([run(at("1T17:00:00"), 2)], {}, at("2T00:00:00"));
    const found = await cronRuns(ports, "everything", { wanted, ...query });
    expect(found).toMatchObject({
      answer: {
        missed: [{ dueAt: "2026-01-01T23:00:00Z" }],
        unobserved: [{ reason: "silence" }, { reason: "silence" }, { reason: "silence" }, { reason: "silence" }],
      },
    });
  });

  it("are not due while it is suspended, and at no known time by an interval", async () => {
    for (const said of [{ suspend: true, lastScheduledAt: at("1T17:00:00") }, { schedule: "@every 5h" }]) {
      const found = await cronRuns(await stores([run(at("1T17:00:00"), 2)], said), "everything", { wanted, ...query });
      expect(found).toMatchObject({ answer: { missed: [], runs: [{}] } });
    }
  });

  it("are listed without a schedule if the CronJob itself was never observed", async () => {
    const ports = await storesWith([run(at("1T17:00:00"), 2)]);
    const found = await cronRuns(ports, "everything", { wanted, ...query });
    expect(found).toMatchObject({ answer: { days: [{ day: "2026-01-01", expected: 0, runs: 1 }] } });
    expect(found.outcome === "answered" && found.answer.cronJob).toBeUndefined();
  });

  it("of a name that is not known are none, and the nearest is named", async () => {
    const ports = await stores([]);
    const mistyped = { ...wanted, name: "nigthly" };
    expect(await cronRuns(ports, "everything", { wanted: mistyped, ...query })).toEqual({
      outcome: "unknownCronJob",
      near: ["nightly"],
    });
  });

  it("are hidden from readers without access to the namespace", async () => {
    const ports = await stores([run(at("1T17:00:00"), 2)]);
    const scope = { grants: [{ cluster: "east", namespaces: ["web"] }] };
    expect(await cronRuns(ports, scope, { wanted, ...query })).toEqual({ outcome: "unknownCronJob", near: [] });
    expect(await listCronJobs(ports, scope, { limit: 10 })).toMatchObject({ items: [] });
    expect(await listCronJobs(ports, "everything", { limit: 10 })).toMatchObject({ items: [{ name: "nightly" }] });
  });
});
