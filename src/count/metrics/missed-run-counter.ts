import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ObservedRun } from "../../parents/cron-job/cron-findings.ts";
import { cronPlan } from "../../parents/cron-job/cron-plan.ts";
import { type DueRun, dueRuns, type Observation } from "../../parents/cron-job/due-runs.ts";
import { labelValue } from "../../ports/bounded-labels.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import type { MetricStore } from "../../ports/metric-store.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import { cronRun, observedRun } from "../../query/cron-jobs/cron-run.ts";
import { observationOf } from "../../query/cron-jobs/observation.ts";
import { readRows } from "../../query/list/list-jobs.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { CRON_JOB_MISSED_RUNS } from "./metric-families.ts";

export interface MissedRunPorts extends QueryPorts {
  readonly metrics: MetricStore;
}

const HOUR_MS = 3_600_000;
/** How far back the first round goes: after a week of downtime, it finds the runs that were missed in the meantime. */
const FIRST_MS = 8 * 24 * HOUR_MS;
/** How far back each later round goes. A run is missed once the controller will no longer start it. */
const AGAIN_MS = 3 * HOUR_MS;
/**
 * How far back runs are read before the first due time. A run that is still in progress may have prevented a due one.
 */
const LONGEST_RUN_MS = 6 * HOUR_MS;
/** The most rows of one namespace that a round reads, newest first. Earlier rounds have covered older rows. */
const MAX_ROWS = 10_000;
const MAX_DUE = 12_000;
const PAGE = 500;

/** A CronJob, and the times at which it was due. */
interface Planned {
  readonly record: CronJobRecord;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Adds each missed run of a CronJob to the metrics, by the same rule as answers. Each due time is a subject of its own:
 * it counts once, however often it is read, and no longer counts if its run is found later.
 */
export class MissedRunCounter {
  readonly #countedUntil = new Map<ClusterName, Instant>();

  /** Counts what was missed since the last round. */
  async count(ports: MissedRunPorts, now: Instant): Promise<void> {
    for (const cluster of await clusterNames(ports.meta, "everything")) {
      const observation = await observationOf(ports.meta, cluster, now);
      // Without a heartbeat, no run is known to be missed.
      if (!Number.isFinite(observation.heardAt)) continue;
      const last = this.#countedUntil.get(cluster);
      const after = last === undefined ? observation.heardAt - FIRST_MS : last - AGAIN_MS;
      await countCluster(ports, cluster, { observation, after });
      this.#countedUntil.set(cluster, observation.heardAt);
    }
  }
}

interface Round {
  readonly observation: Observation;
  readonly after: Instant;
}

async function countCluster(ports: MissedRunPorts, cluster: ClusterName, round: Round): Promise<void> {
  const planned: Planned[] = [];
  for await (const { value: record } of listDecoded(ports.meta, cronJobRecord, ofCluster(cluster))) {
    const { observed } = record;
    if (observed !== undefined) planned.push({ record, namespace: observed.namespace, name: observed.name });
  }
  for (const [namespace, cronJobs] of Map.groupBy(planned, (one) => one.namespace)) {
    const { runs, since } = await runsOf(ports, { cluster, namespace }, round.after);
    for (const cronJob of cronJobs) {
      const uid = cronJob.record.cronJobUid;
      const due = dueOf(cronJob, runs.get(cronJob.name) ?? [], { ...round, after: Math.max(since, round.after) });
      for (const one of due) await contributeDueRun(ports.metrics, { cluster, cronJob: { ...cronJob, uid } }, one);
    }
  }
}

interface NamespaceRuns {
  readonly runs: ReadonlyMap<string, readonly ObservedRun[]>;
  /** Earlier runs were not read. */
  readonly since: Instant;
}

/** The runs of a namespace by CronJob. */
async function runsOf(
  ports: MissedRunPorts,
  place: { readonly cluster: ClusterName; readonly namespace: string },
  after: Instant,
): Promise<NamespaceRuns> {
  const runs = new Map<string, ObservedRun[]>();
  let read = 0;
  const filter = { ...place, createdAfter: after - LONGEST_RUN_MS };
  for await (const row of readRows(ports, "everything", { filter, pageSize: PAGE })) {
    if (read === MAX_ROWS) return { runs, since: row.createdAt };
    read += 1;
    const job = readSummary(row);
    if (job.owner?.kind !== "CronJob") continue;
    const { name } = job.owner;
    const known = runs.get(name);
    const run = observedRun(cronRun(job));
    if (known === undefined) runs.set(name, [run]);
    else known.push(run);
  }
  return { runs, since: -Infinity };
}

function dueOf({ record }: Planned, runs: readonly ObservedRun[], { observation, after }: Round): readonly DueRun[] {
  const plan = cronPlan(record);
  return plan === undefined ? [] : dueRuns(plan, runs, { ...observation, after, limit: MAX_DUE });
}

/** A due time is a subject of its own: it counts once, by whichever rule it is found. */
export async function contributeDueRun(
  metrics: MetricStore,
  {
    cluster,
    cronJob: { uid, namespace, name },
  }: {
    readonly cluster: ClusterName;
    readonly cronJob: { readonly uid: string; readonly namespace: string; readonly name: string };
  },
  due: DueRun,
): Promise<void> {
  const labels = { cluster, namespace, cronjob: labelValue(name) };
  const series = { family: CRON_JOB_MISSED_RUNS.number, kind: "counter", labels } as const;
  const isMissed = due.outcome === "missed" && due.final;
  await metrics.contribute(
    { cluster, id: `missed/${uid}/${due.dueAt / 60_000}` },
    { amounts: isMissed ? [{ series, part: 0, amount: 1 }] : [], at: due.dueAt },
  );
}
