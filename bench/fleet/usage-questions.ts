import { applyUsage } from "../../src/count/usage/usage-sums.ts";
import { UsageTable } from "../../src/count/usage/usage-table.ts";
import { formatMillis, HOUR_MILLIS, type Instant, utcDay } from "../../src/job/model/instant.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { SumClass, Usage } from "../../src/job/usage/usage.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import { apiOver } from "../../test/support/http/request-api.ts";
import type { MeteredTables } from "../dynamodb/tables.ts";
import type { Measure } from "../measuring/measure.ts";
import { NAMESPACES_PER_CLUSTER } from "./reference-fleet.ts";

/** What Jobs of a namespace request: cores in thousandths, and GiB. */
const REQUESTS = [100, 250, 500, 1_000, 2_000, 4_000, 8_000];
const GIB = 1_073_741_824n * 1_000_000_000n;
const MILLI = 1_000_000n;
const DAY_MILLIS = 24 * HOUR_MILLIS;

interface UsageOfCluster {
  readonly cluster: ClusterName;
  readonly jobs: number;
  readonly day: Instant;
}

/** Stores what the Jobs of a cluster reserved on a day, as the count function does. */
export async function writeUsage(
  { meta }: MeteredTables,
  { cluster, jobs, day }: UsageOfCluster,
  random: () => number,
): Promise<void> {
  const table = new UsageTable();
  for (let n = 0; n < jobs; n += 1) table.add(`team-${n % NAMESPACES_PER_CLUSTER}`, usageOfJob(random));
  await applyUsage({ meta, projection: "A" }, 1, [{ cluster, day: utcDay(day), table }]);
}

/** A Job of one Pod, of which one in a hundred fails, with a CPU, memory, and for some a GPU. */
function usageOfJob(random: () => number): Usage {
  const work = random() < 0.01 ? "failed" : "kept";
  const podTime = new Map<SumClass, bigint>([
    ["startUp", BigInt(Math.round(random() * 5_000))],
    [work, BigInt(Math.round(random() * 120_000))],
    ["idle", BigInt(Math.round(random() * 500))],
  ]);
  const request = BigInt(REQUESTS[Math.floor(random() * REQUESTS.length)] ?? 1);
  const times = (amount: bigint) => new Map([...podTime].map(([of, millis]) => [of, millis * amount]));
  const gpu: readonly [string, ReturnType<typeof times>][] =
    random() < 0.1 ? [["nvidia.com/gpu", times(1_000n * MILLI)]] : [];
  const resources = new Map([["cpu", times(request * MILLI)], ["memory", times((request * GIB) / 250n)], ...gpu]);
  return { pods: 1, isAtMost: false, podTime, resources };
}

/** The read units of what the fleet reserved on a day, by namespace. */
export async function measureUsage(tables: MeteredTables, day: Instant, jobs: number): Promise<Measure> {
  const { meter, names, projections, meta, log } = tables;
  const api = apiOver({ projections, meta, log });
  meter.reset();
  const range = `since=${formatMillis(day)}&until=${formatMillis(day + DAY_MILLIS)}`;
  const { body } = await api.ask(`/v1/usage?${range}&by=namespace`);
  if (api.errors.length > 0) throw new AggregateError(api.errors, "The usage was not answered.");
  const { usage, complete } = body as UsageReport;
  if (usage.pods !== jobs || !complete) throw new Error(`${usage.pods} of ${jobs} Pods were counted.`);
  const value = [names.jobs, names.meta].reduce((sum, table) => sum + meter.of(table).read, 0);
  return { name: "fleet: read units of a day's usage by namespace", value, unit: "RU", goal: "<= 400" };
}
