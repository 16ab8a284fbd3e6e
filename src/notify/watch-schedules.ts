import { explainCronFinding } from "../explain/explain-cron-finding.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { formatInstant, type Instant } from "../job/model/instant.ts";
import { type CronFinding, cronFindings, type ObservedRun } from "../job/schedule/cron-findings.ts";
import { type CronPlan, cronPlan } from "../job/schedule/cron-plan.ts";
import { dueRuns, type Observation } from "../job/schedule/due-runs.ts";
import { isEndOfRecording, isSilent } from "../job/status/silence.ts";
import { clusterNames } from "../query/clusters/clusters.ts";
import { readCluster, readGaps } from "../query/clusters/cluster-records.ts";
import { type KnownCronJob, knownCronJobs } from "../query/cron-jobs/cron-jobs.ts";
import { cronRun } from "../query/cron-jobs/cron-run.ts";
import { observedRun } from "../query/cron-jobs/missed-runs.ts";
import { readRows } from "../query/list/list-jobs.ts";
import { readSummary } from "../query/list/summary-row.ts";
import type { QueryPorts } from "../query/ports.ts";
import { durationText } from "../text/duration-text.ts";
import { RecentRuns } from "./recent-runs.ts";
import type { Subject } from "./subject.ts";

export interface ScheduleOptions {
  readonly now: Instant;
  /** Also considers clusters that are recordings. @default false */
  readonly includesRecordings?: boolean;
}

/** Finds what no fact reports: missed runs of CronJobs, and clusters that fell silent. */
export class ScheduleWatch {
  readonly #recent = new RecentRuns();

  /** Every CronJob and every cluster with a heartbeat, as of its last data. Takes a few reads of each CronJob. */
  async *subjects(ports: QueryPorts, { now, includesRecordings }: ScheduleOptions): AsyncGenerator<Subject> {
    const ids = new Set<string>();
    for (const cluster of await clusterNames(ports.meta, "everything")) {
      const observed = (await readCluster(ports.meta, cluster))?.observed;
      const isRecording = observed !== undefined && isEndOfRecording(observed);
      if (observed === undefined || (isRecording && includesRecordings !== true)) continue;
      if (!isRecording) yield clusterSubject(cluster, observed.at, now);
      const observation = { heardAt: observed.at, gaps: await readGaps(ports.meta, cluster), now };
      for (const cronJob of await knownCronJobs(ports.meta, "everything", cluster)) {
        ids.add(`${cluster}#${cronJob.answer.uid}`);
        yield await this.#cronJobSubject(ports, cronJob, observation);
      }
    }
    this.#recent.keep(ids);
  }

  async #cronJobSubject(ports: QueryPorts, cronJob: KnownCronJob, observation: Observation): Promise<Subject> {
    const { answer, record } = cronJob;
    const plan = answer.deletedAt === undefined ? cronPlan(record) : undefined;
    const findings = plan === undefined ? [] : await this.#findingsOf(ports, { cronJob, plan, observation });
    const described = findings.map((finding) => ({ kind: finding.kind, message: explainCronFinding(finding) }));
    const { uid, cluster, namespace, name } = answer;
    const [first] = described;
    return {
      kind: "CronJob",
      uid,
      cluster,
      namespace,
      name,
      labels: {},
      findings: described,
      headline: first === undefined ? "No findings." : `${first.kind}: ${first.message}`,
      at: formatInstant(observation.heardAt),
    };
  }

  async #findingsOf(ports: QueryPorts, { cronJob, plan, observation }: Judged): Promise<readonly CronFinding[]> {
    const { uid, namespace, name } = cronJob.answer;
    const cluster = decodeClusterName(cronJob.answer.cluster);
    if (cluster === undefined) return [];
    const id = `${cluster}#${uid}`;
    const times = this.#recent.timesOf(id, plan, observation.now);
    const [first] = times;
    if (first === undefined) return [];
    const place = { cluster, namespace, name };
    const runs = await this.#recent.runsOf(id, place, { jobs: ports.jobs, times });
    const judge = (of: readonly ObservedRun[]): readonly CronFinding[] => {
      const due = dueRuns(plan, of, { ...observation, after: first - 1, limit: times.length });
      return cronFindings({ plan, due, runs: of, heardAt: observation.heardAt });
    };
    const findings = judge(runs);
    const maySkip = plan.spans.some(({ concurrencyPolicy }) => concurrencyPolicy === "Forbid");
    if (!maySkip || !findings.some(({ kind }) => kind === "MissedRun")) return findings;
    // A manual run has any name, and policy Forbid skips due times during it.
    return judge([...runs, ...(await manualRuns(ports, place, runs))]);
  }
}

interface Judged {
  readonly cronJob: KnownCronJob;
  readonly plan: CronPlan;
  readonly observation: Observation;
}

/** How many Jobs of the namespace are searched for manual runs, newest first. */
const MAX_ROWS = 1_000;

async function manualRuns(
  ports: QueryPorts,
  { cluster, namespace, name }: { readonly cluster: ClusterName; readonly namespace: string; readonly name: string },
  runs: readonly ObservedRun[],
): Promise<readonly ObservedRun[]> {
  const known = new Set(runs.map((run) => run.name));
  const manual: ObservedRun[] = [];
  let read = 0;
  for await (const row of readRows(ports, "everything", { filter: { cluster, namespace }, pageSize: 500 })) {
    if (read === MAX_ROWS) break;
    read += 1;
    const job = readSummary(row);
    const isRun = job.owner?.kind === "CronJob" && job.owner.name === name;
    if (isRun && !known.has(job.name)) manual.push(observedRun(cronRun(name, job)));
  }
  return manual;
}

function clusterSubject(cluster: ClusterName, heardAt: Instant, now: Instant): Subject {
  const since = formatInstant(heardAt);
  const message = `No data from the exporter since ${since} (${durationText(now - heardAt)}).`;
  const findings = isSilent(heardAt, now) ? [{ kind: "ClusterSilent", message }] : [];
  return {
    kind: "Cluster",
    uid: cluster,
    cluster,
    namespace: "",
    name: cluster,
    labels: {},
    findings,
    headline: findings.length === 0 ? `Data again, as of ${since}.` : `ClusterSilent: ${message}`,
    at: since,
  };
}
