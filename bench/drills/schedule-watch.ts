// What does a look of the notifications at the CronJobs of the fleet read, and how long does it take, in a new process
// and in one that has looked before? `--store sqlite|dynamodb`; `--scale 10` has a tenth of the 107,000 CronJobs, and
// prints reads of all of them. The day is calm: one last run in a hundred failed, and none is late.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonical } from "../../src/job/model/canonical.ts";
import { EARLIEST, formatInstant, type Instant } from "../../src/job/model/instant.ts";
import { type CronPlan, plannedTimes } from "../../src/parents/cron-job/cron-plan.ts";
import { ScheduleWatch } from "../../src/notify/watch-schedules.ts";
import { cronJobKey, namespaceKey } from "../../src/ports/meta-key.ts";
import type { QueryPorts } from "../../src/query/ports.ts";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { createSqliteLog } from "../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../../src/adapters/sqlite/sqlite-projections.ts";
import { startDynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { jobUid } from "../../test/support/facts/names.ts";
import { countedStore } from "../../test/support/stores/counted-store.ts";
import { clusterOf, listedJob, rowOf } from "../../test/support/story/listed-job.ts";
import { createTables } from "../dynamodb/tables.ts";
import { SCHEDULES } from "../fleet/cron-jobs.ts";
import { fleetRate } from "../fleet/reference-fleet.ts";
import { benchOptions } from "../measuring/options.ts";
import { type Measure, report } from "../measuring/measure.ts";

const options = benchOptions(["store", "scale"]);
const scale = options.positive("scale", 10);
const store = options.text("store") ?? "sqlite";
const NOW = Date.parse("2026-11-20T12:07:00Z");
const CRON_JOB_SHARE = 0.8;
const CLUSTERS = Math.max(1, Math.round(200 / scale));
const NAMESPACES = 30;
const RUNS = 10;
const RUN_MILLIS = 40_000;
const DAY = 86_400_000;
const AT_ONCE = 16;
const order = { epoch: 0, resourceVersion: 1 };

interface CronJob {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly schedule: string;
  readonly failed: boolean;
}

function cronJobs(): readonly CronJob[] {
  let made = 0;
  return SCHEDULES.flatMap(({ schedule, seconds, share }) => {
    const count = Math.round((fleetRate() * CRON_JOB_SHARE * share * seconds) / scale);
    return Array.from({ length: count }, () => {
      const n = (made += 1);
      const [cluster, namespace] = [`fleet-${n % CLUSTERS}`, `team-${n % NAMESPACES}`];
      return { cluster, namespace, name: `report-${n}`, uid: `uid-${n}`, schedule, failed: n % 100 === 0 };
    });
  });
}

function observedOf({ namespace, name, uid, schedule, failed }: CronJob, due: readonly Instant[]) {
  const [before = 0, last = 0] = due.slice(-2);
  return {
    ...order,
    kind: "CronJobObserved" as const,
    at: NOW - 100 * DAY,
    namespace,
    name,
    cronJobUid: uid,
    createdAt: NOW - 100 * DAY,
    generation: 1,
    schedule,
    suspend: false,
    concurrencyPolicy: "Allow",
    lastScheduledAt: last,
    lastSuccessfulAt: (failed ? before : last) + RUN_MILLIS,
  };
}

/** The last due times whose runs have ended. */
function dueTimes({ schedule }: CronJob): readonly Instant[] {
  const span = { schedule, suspend: false, concurrencyPolicy: "Allow", from: NOW - 100 * DAY };
  const plan: CronPlan = { observedFrom: span.from, spans: [span] };
  const spans = [3_600_000, 12 * 3_600_000, 30 * DAY];
  const found = spans.map((back) => plannedTimes(plan, { after: NOW - back, until: NOW - 60_000, limit: 1_000 }));
  return (found.find((times) => times.length >= RUNS) ?? []).slice(-RUNS).map(({ at }) => at);
}

async function fill({ jobs, meta }: QueryPorts, all: readonly CronJob[]): Promise<void> {
  for (let n = 0; n < CLUSTERS; n += 1) {
    const observed = { ...order, kind: "ClusterObserved", at: NOW, serverVersion: "v1.34.2" };
    await meta.write("cluster", `fleet-${n}`, { value: canonical({ observed }), expected: 0 });
    for (let team = 0; team < NAMESPACES; team += 1) {
      const key = namespaceKey(clusterOf(`fleet-${n}`), `team-${team}`);
      await meta.write("namespace", key, { value: "{}", expected: 0 });
    }
  }
  await jobs.wide?.writeCoverage({ since: EARLIEST, sweptTo: NOW, isConverted: true }, 0);
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map((cronJob) => write({ jobs, meta }, cronJob)));
  }
}

async function write({ jobs, meta }: Pick<QueryPorts, "jobs" | "meta">, cronJob: CronJob): Promise<void> {
  const { cluster, namespace, name, uid, failed } = cronJob;
  const due = dueTimes(cronJob);
  const observed = observedOf(cronJob, due);
  const value = canonical({ cronJobUid: uid, observed, specs: [observed] });
  await meta.write("cronjob", cronJobKey(clusterOf(cluster), uid), { value, expected: 0 });
  for (const at of due) {
    const isFailed = failed && at === due.at(-1);
    const row = rowOf(
      listedJob({
        cluster,
        namespace,
        name: `${name}-${at / 60_000}`,
        uid: `${uid}-${at}`,
        owner: { kind: "CronJob", name, uid },
        scheduledAt: formatInstant(at),
        createdAt: formatInstant(at),
        startedAt: formatInstant(at),
        finishedAt: formatInstant(at + RUN_MILLIS),
        verdict: { state: isFailed ? "Failed" : "Complete", final: true, basis: "both" },
      }),
    );
    const key = { cluster: clusterOf(cluster), jobUid: jobUid(`${uid}-${at}`) };
    await jobs.write(key, { bytes: Uint8Array.of(1), row: { ...row, endedAt: at + RUN_MILLIS } }, 0);
  }
}

interface Opened {
  readonly ports: QueryPorts;
  /** Read units since the last call; absent where there are none. */
  readonly units?: () => number;
  readonly inTransaction: (work: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

function openSqlite(): Opened {
  const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
  const database = openDatabase(join(folder, "watch.sqlite"));
  const jobs = createSqliteProjections(database).open("A");
  return {
    ports: { jobs, meta: createSqliteMetaStore(database), log: createSqliteLog(database) },
    inTransaction: (work) => database.inTransaction(work),
    close: async () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openDynamo(): Promise<Opened> {
  const dynamo = await startDynamoLocal();
  const { meter, names, projectionsAt, meta, log } = await createTables(dynamo);
  return {
    ports: { jobs: projectionsAt(NOW).open("A"), meta, log },
    units: () => {
      const used = [names.jobs, names.meta].reduce((sum, table) => sum + meter.of(table).read, 0);
      meter.reset();
      return used;
    },
    inTransaction: (work) => work(),
    close: () => dynamo.stop(),
  };
}

async function look(watch: ScheduleWatch, how: string, looksAtAll: boolean): Promise<readonly Measure[]> {
  const requests: string[] = [];
  const ports = { ...opened.ports, jobs: countedStore(opened.ports.jobs, requests) };
  opened.units?.();
  const began = process.cpuUsage();
  const startedAt = performance.now();
  let found = 0;
  for await (const { kind, findings } of watch.subjects(ports, { now: NOW, isNoted: () => looksAtAll })) {
    if (kind === "CronJob" && findings.length > 0) found += 1;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(began);
  const reads = requests.filter((request) => request === "listByName").length;
  const name = `schedule watch, ${store}, ${how}`;
  return [
    { name: `${name}: runs read by name`, value: reads * scale, unit: "queries, 107,000 CronJobs" },
    { name: `${name}: runs read per CronJob`, value: reads / all.length, unit: "queries" },
    ...(opened.units ? [{ name: `${name}: read units`, value: opened.units() * scale, unit: "RU" }] : []),
    { name: `${name}: time`, value: seconds * scale, unit: "s" },
    { name: `${name}: CPU time`, value: ((user + system) / 1e6) * scale, unit: "s" },
    { name: `${name}: CronJobs with findings`, value: found * scale, unit: "" },
  ];
}

const all = cronJobs();
const opened = store === "dynamodb" ? await openDynamo() : openSqlite();
try {
  await opened.inTransaction(() => fill(opened.ports, all));
  const [each, some] = [new ScheduleWatch(), new ScheduleWatch()];
  report([
    ...(await look(each, "all, new process", true)),
    ...(await look(each, "all, again", true)),
    ...(await look(some, "as needed, new process", false)),
    ...(await look(some, "as needed, again", false)),
  ]);
} finally {
  await opened.close();
}
