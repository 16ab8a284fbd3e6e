import { explainCronFinding } from "../explain/explain-cron-finding.ts";
import type { ClusterName } from "../job/model/ids.ts";
import { formatInstant, type Instant } from "../job/model/instant.ts";
import type { CronFinding } from "../job/schedule/cron-findings.ts";
import { isEndOfRecording, isSilent } from "../job/status/silence.ts";
import { clusterNames } from "../query/clusters/clusters.ts";
import { readCluster, readGaps } from "../query/clusters/cluster-records.ts";
import { type CronJobAnswer, type KnownCronJob, knownCronJobs } from "../query/cron-jobs/cron-jobs.ts";
import { RecentFindings } from "../query/cron-jobs/recent-findings.ts";
import type { QueryPorts } from "../query/ports.ts";
import { durationText } from "../text/duration-text.ts";
import type { Subject } from "./subject.ts";

export interface ScheduleOptions {
  readonly now: Instant;
  /** Also considers clusters that are recordings. @default false */
  readonly includesRecordings?: boolean;
}

/** Finds what no fact reports: missed runs of CronJobs, and clusters that fell silent. */
export class ScheduleWatch {
  readonly #recent = new RecentFindings();

  /** Every CronJob and every cluster with a heartbeat, as of its last data. Takes a few reads of each CronJob. */
  async *subjects(ports: QueryPorts, { now, includesRecordings }: ScheduleOptions): AsyncGenerator<Subject> {
    const seen: KnownCronJob[] = [];
    for (const cluster of await clusterNames(ports.meta, "everything")) {
      const observed = (await readCluster(ports.meta, cluster))?.observed;
      const isRecording = observed !== undefined && isEndOfRecording(observed);
      if (observed === undefined || (isRecording && includesRecordings !== true)) continue;
      if (!isRecording) yield clusterSubject(cluster, observed.at, now);
      const observation = { heardAt: observed.at, gaps: await readGaps(ports.meta, cluster), now };
      for (const cronJob of await knownCronJobs(ports.meta, "everything", cluster)) {
        seen.push(cronJob);
        yield cronJobSubject(cronJob.answer, await this.#recent.of(ports, cronJob, observation), observed.at);
      }
    }
    this.#recent.keep(seen);
  }
}

function cronJobSubject(
  { uid, cluster, namespace, name }: CronJobAnswer,
  findings: readonly CronFinding[],
  heardAt: Instant,
): Subject {
  const described = findings.map((finding) => ({ kind: finding.kind, message: explainCronFinding(finding) }));
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
    at: formatInstant(heardAt),
  };
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
