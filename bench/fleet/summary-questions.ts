import { CountTable } from "../../src/count/count-table.ts";
import type { CountCell } from "../../src/ports/sums/job-sums.ts";
import { countPosition } from "../../src/count/count-records.ts";
import { DAY_SUMS, dayKey, dayOf, hourBit, hourKey, inDay, type SumsOf, writeSum } from "../../src/count/sums.ts";
import { EARLIEST, formatMillis, HOUR_MILLIS } from "../../src/job/model/instant.ts";
import { durationBucket } from "../../src/job/status/duration-bucket.ts";
import { countPositionKey } from "../../src/ports/meta-key.ts";
import { writeRecord } from "../../src/ports/records/record-codec.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import type { DynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { apiOver } from "../../test/support/http/request-api.ts";
import { clusterOf } from "../../test/support/story/listed-job.ts";
import { createTables, type MeteredTables } from "../dynamodb/tables.ts";
import { seededRandom } from "../fault-run/seeded-random.ts";
import type { Measure } from "../measuring/measure.ts";
import { measureUsage, writeUsage } from "./usage-questions.ts";
import { clusterRates, NAMESPACES_PER_CLUSTER } from "./reference-fleet.ts";

const DAY_BEGIN = Date.parse("2026-01-01T00:00:00Z");
/** Hours of the day that are in the sums of the day. Two more are read from their own sums. */
const ROLLED_HOURS = 22;
const HOURS = 24;
/** CronJobs of a cluster: 20,000 in 200 clusters. */
const CRON_JOBS = 100;
const FAILED_SHARE = 0.01;
const LIFETIME = { medianMillis: 40_000, sigma: 1.3 };

/**
 * The cost of summaries of a day of the reference fleet. The counts have the distribution of its Jobs over clusters,
 * namespaces, CronJobs and durations, and are stored as the count function stores them; the Jobs do not exist.
 */
export async function measureSummaries(dynamo: DynamoLocal): Promise<readonly Measure[]> {
  const tables = await createTables(dynamo);
  const { meta } = tables;
  const value = { positions: {}, round: 1, heldUntil: 0, since: EARLIEST, rolledTo: DAY_BEGIN };
  await writeRecord(meta, countPosition, { key: countPositionKey("A"), value, expected: 0 });
  let jobs = 0;
  for (const [rank, rate] of clusterRates().entries()) {
    const cluster = clusterOf(`fleet-${rank + 1}`);
    await meta.write("cluster", cluster, { value: "{}", expected: 0 });
    const ofCluster = await writeDay({ meta, projection: "A", cluster }, rate);
    await writeUsage(tables, { cluster, jobs: ofCluster, day: DAY_BEGIN }, seededRandom(rank));
    jobs += ofCluster;
  }
  const of = `fleet: read units of a day's summary`;
  return [
    { name: of, value: await unitsOf(tables, "", jobs), unit: `RU, ${jobs} Jobs`, goal: "<= 250" },
    { name: `${of} by namespace`, value: await unitsOf(tables, "&by=namespace", jobs), unit: "RU", goal: "<= 250" },
    { name: `${of} by hour`, value: await unitsOf(tables, "&by=hour", jobs), unit: "RU" },
    { name: `${of} by owner`, value: await unitsOf(tables, "&by=owner", jobs), unit: "RU" },
    await measureUsage(tables, DAY_BEGIN, jobs),
  ];
}

async function unitsOf({ meter, names, projections, meta, log }: MeteredTables, by: string, jobs: number) {
  const api = apiOver({ projections, meta, log });
  meter.reset();
  const { body } = await api.ask(`/v1/summary?createdAfter=${formatMillis(DAY_BEGIN - 1)}${by}`);
  if (api.errors.length > 0) throw new AggregateError(api.errors, "The summary was not answered.");
  const answer = body as SummaryAnswer;
  if (answer.jobs !== jobs || !answer.complete) throw new Error(`${answer.jobs} of ${jobs} Jobs were counted.`);
  return [names.jobs, names.meta].reduce((sum, table) => sum + meter.of(table).read, 0);
}

async function writeDay(of: SumsOf, rate: number): Promise<number> {
  const random = seededRandom(of.cluster.length + Math.round(rate * 1_000));
  let jobs = 0;
  const sums = DAY_SUMS.map((by) => ({ by, table: new CountTable() }));
  let hours = 0;
  for (let index = 0; index < HOURS; index += 1) {
    const hour = DAY_BEGIN + index * HOUR_MILLIS;
    const table = hourOfCluster(Math.round(rate * 3_600), random);
    jobs += table.jobs;
    if (index < ROLLED_HOURS) {
      hours |= hourBit(hour);
      for (const sum of sums) sum.table.addTable(inDay(sum.by, hour, table));
    } else {
      await writeSum(of, hourKey(of, hour), { table, round: 1, hours: 0, coarse: 0, version: 0 });
    }
  }
  for (const { by, table } of sums) {
    await writeSum(of, dayKey(of, by, dayOf(DAY_BEGIN)), { table, round: 1, hours, coarse: 0, version: 0 });
  }
  return jobs;
}

function hourOfCluster(jobs: number, random: () => number): CountTable {
  const table = new CountTable();
  for (let n = 0; n < jobs; n += 1) {
    const owner = Math.floor(random() * CRON_JOBS);
    const namespace = `team-${owner % NAMESPACES_PER_CLUSTER}`;
    const failed = random() < FAILED_SHARE;
    table.add({
      ...ONE_JOB,
      namespace,
      group: random() < 0.8 ? `CronJob/nightly-report-${owner}` : "",
      state: failed ? "Failed" : "Complete",
      findings: failed ? "LimitReached" : "",
      attention: failed ? 1 : 0,
      podsSeen: failed ? 4 : 1,
      podsSucceeded: failed ? 0 : 1,
      podsFailed: failed ? 4 : 0,
      durations: new Map([[durationBucket(lifetime(random)), 1]]),
    });
  }
  return table;
}

const ONE_JOB = { jobs: 1, jobsAgain: 0, needlessRuns: 0, needlessMillis: 0 } as const satisfies Partial<CountCell>;

/** Log-normal, in whole seconds, as Kubernetes writes times. */
function lifetime(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round((LIFETIME.medianMillis * Math.exp(LIFETIME.sigma * normal)) / 1_000) * 1_000;
}
