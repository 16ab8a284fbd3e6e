import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import { type CronFinding, cronFindings, type ObservedRun } from "../../parents/cron-job/cron-findings.ts";
import { cronJobOf } from "../../parents/cron-job/cron-lineage.ts";
import { type CronPlan, cronPlan } from "../../parents/cron-job/cron-plan.ts";
import type { Instant } from "../../job/model/instant.ts";
import { type DueRun, dueRuns, type Observation } from "../../parents/cron-job/due-runs.ts";
import type { PastRuns } from "../../parents/series/past-run.ts";
import { readRunsOfSeries } from "../../projection/series/series-runs.ts";
import { readRows, type RowPorts } from "../list/list-jobs.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import { cronRun, observedRun } from "./cron-run.ts";
import type { CronJobAnswer, KnownCronJob } from "./cron-jobs.ts";
import { type CronJobName, RECENT, RecentRuns } from "./recent-runs.ts";

/**
 * The findings of CronJobs about their last ten due times and runs. Takes a few reads of each CronJob, and fewer in
 * later calls, because results are cached.
 */
export class RecentFindings {
  readonly #recent = new RecentRuns();
  readonly #pastRuns = new Map<string, { readonly runs: PastRuns; readonly readAt: Instant }>();

  /** The findings about a CronJob as of the last data from the cluster. A deleted CronJob has none. */
  async of(ports: RowPorts, cronJob: KnownCronJob, observation: Observation): Promise<readonly CronFinding[]> {
    return cronJob.answer.deletedAt === undefined ? (await this.look(ports, cronJob, observation)).findings : [];
  }

  /** Also returns the outcomes of the last due times, and of those after `since` if there are more. */
  async look(ports: RowPorts, cronJob: KnownCronJob, observation: Observed): Promise<CronLook> {
    const { answer, record } = cronJob;
    const plan = cronPlan(record);
    const cluster = decodeClusterName(answer.cluster);
    if (plan === undefined || cluster === undefined) return NOTHING;
    const look = await this.#judged(ports, { cronJob, cluster, plan, observation });
    return answer.deletedAt === undefined ? look : { findings: [], due: look.due };
  }

  /** Forgets CronJobs that are not among these. */
  keep(cronJobs: Iterable<NamedCronJob>): void {
    const kept = new Set(Array.from(cronJobs, idOf));
    this.#recent.keep(kept);
    for (const id of this.#pastRuns.keys()) if (!kept.has(id)) this.#pastRuns.delete(id);
  }

  /** Read again after some minutes: a trend is not urgent. */
  async #pastRunsOf({ meta }: RowPorts, { id, cluster, ...named }: Place, now: Instant): Promise<PastRuns> {
    const known = this.#pastRuns.get(id);
    if (known !== undefined && now - known.readAt < PAST_RUNS_MILLIS) return known.runs;
    const runs = await readRunsOfSeries(meta, cluster, { ...named, kind: "CronJob" });
    this.#pastRuns.set(id, { runs, readAt: now });
    return runs;
  }

  async #judged(ports: RowPorts, { cronJob, cluster, plan, observation }: Judged): Promise<CronLook> {
    const { heardAt, gaps } = observation;
    const { namespace, name } = cronJob.answer;
    const id = idOf(cronJob);
    // While a cluster is silent, its last due times are unknown. They must not hide what was found before.
    const until = Math.min(observation.now, observation.heardAt);
    const times = this.#recent.timesOf(id, plan, { now: until, since: observation.since });
    const [first] = times;
    if (first === undefined) return NOTHING;
    const place = { cluster, namespace, name };
    const runs = await this.#recent.runsOf(id, place, { jobs: ports.jobs, times, now: until });
    const pastRuns = await this.#pastRunsOf(ports, { id, ...place }, observation.now);
    const judge = (of: readonly ObservedRun[]): CronLook => {
      const due = dueRuns(plan, of, { ...observation, after: first - 1, limit: times.length });
      const lastDue = due.slice(-RECENT);
      const [from] = lastDue;
      const lastRuns = of.filter(({ scheduledAt = Infinity }) => from === undefined || scheduledAt >= from.dueAt);
      const findings = cronFindings({ plan, due: lastDue, runs: lastRuns, heardAt, pastRuns, gaps });
      return { findings, due, runs: lastRuns };
    };
    const look = judge(runs);
    const maySkip = plan.spans.some(({ concurrencyPolicy }) => concurrencyPolicy === "Forbid");
    if (!maySkip || !look.due.some(({ outcome }) => outcome === "missed")) return look;
    // A manual run has any name, and policy Forbid skips due times during it.
    const most = times.length > RECENT ? MOST_ROWS : RECENT_ROWS;
    return judge([...runs, ...(await manualRuns(ports, place, { runs, most }))]);
  }
}

interface Place extends CronJobName {
  readonly id: string;
}

const PAST_RUNS_MILLIS = 10 * 60_000;

/** The observation of a cluster, and the instant from which all due times are considered. */
export interface Observed extends Observation {
  /** @default the last ten due times */
  readonly since?: Instant | undefined;
}

/** The findings about the last due times and runs of a CronJob. */
export interface CronLook {
  readonly findings: readonly CronFinding[];
  readonly due: readonly DueRun[];
  /** The runs of the last due times. Absent for a CronJob that was deleted. */
  readonly runs?: readonly ObservedRun[];
}

const NOTHING: CronLook = { findings: [], due: [] };

interface Judged {
  readonly cronJob: KnownCronJob;
  readonly cluster: ClusterName;
  readonly plan: CronPlan;
  readonly observation: Observed;
}

/** A CronJob by its cluster and uid. */
export interface NamedCronJob {
  readonly answer: Pick<CronJobAnswer, "cluster" | "uid">;
}

function idOf({ answer: { cluster, uid } }: NamedCronJob): string {
  return `${cluster}#${uid}`;
}

/** How many Jobs of the namespace are searched for manual runs, newest first: for the last due times, and for more. */
const RECENT_ROWS = 1_000;
const MOST_ROWS = 10_000;

async function manualRuns(
  ports: RowPorts,
  { cluster, namespace, name }: { readonly cluster: ClusterName; readonly namespace: string; readonly name: string },
  { runs, most }: { readonly runs: readonly ObservedRun[]; readonly most: number },
): Promise<readonly ObservedRun[]> {
  const known = new Set(runs.map((run) => run.name));
  const manual: ObservedRun[] = [];
  let read = 0;
  for await (const row of readRows(ports, "everything", { filter: { cluster, namespace }, pageSize: 500 })) {
    if (read === most) break;
    read += 1;
    const job = readSummary(row);
    const isRun = cronJobOf(job.owner)?.name === name;
    if (isRun && !known.has(job.name)) manual.push(observedRun(cronRun(job)));
  }
  return manual;
}
