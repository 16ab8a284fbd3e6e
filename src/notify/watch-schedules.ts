import pLimit from "p-limit";
import { nextTurn, type Turn } from "../ports/concurrency/fair-turns.ts";
import { explainCronFinding } from "../parents/cron-job/cron-findings.ts";
import type { ClusterName } from "../job/model/ids.ts";
import { formatInstant, type Instant } from "../job/model/instant.ts";
import { RECENT_MISS_MILLIS } from "../parents/cron-job/cron-findings.ts";
import type { Observation } from "../parents/cron-job/due-runs.ts";
import { isEndOfRecording, isSilent } from "../job/status/silence.ts";
import { clusterNames } from "../query/clusters/clusters.ts";
import { readCluster, readGaps } from "../query/clusters/cluster-records.ts";
import { type CronJobAnswer, eachCronJob, type KnownCronJob } from "../query/cron-jobs/cron-jobs.ts";
import { needsLook } from "../query/cron-jobs/needs-look.ts";
import { type CronLook, type NamedCronJob, RecentFindings } from "../query/cron-jobs/recent-findings.ts";
import { UnfinishedRuns } from "../query/cron-jobs/unfinished-runs.ts";
import type { QueryPorts } from "../query/ports.ts";
import { durationText } from "../job/text/duration-text.ts";
import { decidedRuns } from "./series-alert.ts";
import type { Subject } from "./subject.ts";

export interface ScheduleOptions {
  readonly now: Instant;
  /** Also considers clusters that are recordings. @default false */
  readonly includesRecordings?: boolean;
  /**
   * Whether a message about a CronJob is possible. Other CronJobs are not read while they are on time. @default always
   * possible
   */
  readonly isNoted?: (cronJob: CronJobAnswer) => boolean | Promise<boolean>;
  /** Whether there is time for more CronJobs. @default always */
  readonly hasTime?: () => boolean;
  /** Where the last turn ended. @default the last turn reached the last CronJob */
  readonly from?: WatchPosition | undefined;
  /** Lets other work use the event loop. @default no interruption */
  readonly turn?: Turn;
}

/** A turn ended after this CronJob. */
export interface WatchPosition {
  readonly cluster: string;
  readonly cronJobUid: string;
}

/** CronJobs whose runs are read at the same time. */
const AT_ONCE = 8;
/** How many CronJobs are checked before the remaining time is checked again. */
const BATCH = 64;

/** Finds what no fact reports: missed runs of CronJobs, and clusters that fell silent. */
export class ScheduleWatch {
  readonly #recent = new RecentFindings();
  /** CronJobs that had findings. They are checked until they have none. */
  readonly #troubled = new Set<string>();
  /** CronJobs visited since the first one; `undefined` if another process began the pass. */
  #seen: NamedCronJob[] | undefined;
  /** Where the next turn begins; `undefined` if this one reached the last CronJob. */
  next: WatchPosition | undefined;

  /**
   * Visits every cluster with a heartbeat, as of its last data, and every CronJob whose findings may matter. The runs
   * of a CronJob that is on time are not read. If time runs out, the next turn continues.
   */
  async *subjects(ports: QueryPorts, options: ScheduleOptions): AsyncGenerator<Subject> {
    const { now, from } = options;
    const clusters = await this.#clusters(ports, options);
    for (const { cluster, heardAt, isRecording } of clusters) {
      if (!isRecording) yield clusterSubject(cluster, heardAt, now);
    }
    if (from === undefined) this.#seen = [];
    this.next = undefined;
    const unfinished = await UnfinishedRuns.read(ports, now);
    const first = clusters.findIndex(({ cluster }) => cluster === from?.cluster);
    for (const { cluster, heardAt } of clusters.slice(Math.max(0, first))) {
      const observation = { heardAt, gaps: await readGaps(ports.meta, cluster), now };
      this.next = yield* this.#cronJobs(ports, { ...options, cluster, observation, unfinished });
      if (this.next !== undefined) return;
    }
    if (this.#seen !== undefined) this.#recent.keep(this.#seen);
    this.#seen = undefined;
  }

  async #clusters({ meta }: QueryPorts, { includesRecordings }: ScheduleOptions): Promise<readonly WatchedCluster[]> {
    const watched: WatchedCluster[] = [];
    for (const cluster of await clusterNames(meta, "everything")) {
      const observed = (await readCluster(meta, cluster))?.observed;
      const isRecording = observed !== undefined && isEndOfRecording(observed);
      if (observed === undefined || (isRecording && includesRecordings !== true)) continue;
      watched.push({ cluster, heardAt: observed.at, isRecording });
    }
    return watched;
  }

  /** Returns where it stopped because time ran out; `undefined` at the end. */
  async *#cronJobs(
    ports: QueryPorts,
    watched: WatchedCronJobs,
  ): AsyncGenerator<Subject, WatchPosition | undefined, undefined> {
    const { cluster, from } = watched;
    const limit = pLimit(AT_ONCE);
    let batch: KnownCronJob[] = [];
    const look = async (): Promise<readonly Subject[]> => {
      const looked = batch;
      batch = [];
      const found = await limit.map(looked, (cronJob) => this.#look(ports, cronJob, watched));
      return found.filter((subject) => subject !== undefined);
    };
    const afterUid = cluster === from?.cluster ? from.cronJobUid : undefined;
    for await (const cronJob of eachCronJob(ports.meta, cluster, { afterUid, isEventual: true })) {
      batch.push(cronJob);
      this.#seen?.push({ answer: { cluster, uid: cronJob.answer.uid } });
      if (batch.length < BATCH) continue;
      yield* await look();
      await nextTurn(watched);
      if (watched.hasTime?.() !== false) continue;
      return { cluster, cronJobUid: cronJob.answer.uid };
    }
    yield* await look();
    return undefined;
  }

  /** A CronJob as of the last data from its cluster; `undefined` if no message is possible. */
  async #look(ports: QueryPorts, cronJob: KnownCronJob, watched: WatchedCronJobs): Promise<Subject | undefined> {
    const { answer } = cronJob;
    const { observation, unfinished, isNoted } = watched;
    const id = `${answer.cluster}#${answer.uid}`;
    const since = observation.heardAt - RECENT_MISS_MILLIS - 1;
    const mayHaveFindings =
      answer.deletedAt === undefined &&
      (this.#troubled.has(id) || needsLook(cronJob, { ...observation, since, unfinished }));
    if (!mayHaveFindings && (await isNoted?.(answer)) === false) return undefined;
    const look = await this.#recent.look(ports, cronJob, observation);
    if (look.findings.length > 0) this.#troubled.add(id);
    else this.#troubled.delete(id);
    return cronJobSubject(cronJob, look, observation.heardAt);
  }
}

interface WatchedCluster {
  readonly cluster: ClusterName;
  readonly heardAt: Instant;
  readonly isRecording: boolean;
}

interface WatchedCronJobs extends ScheduleOptions {
  readonly cluster: ClusterName;
  readonly observation: Observation;
  readonly unfinished: UnfinishedRuns;
}

function cronJobSubject(
  { answer: { uid, cluster, namespace, name }, record }: KnownCronJob,
  { findings, runs }: CronLook,
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
    labels: { ...runs?.findLast((run) => run.labels !== undefined)?.labels, ...record.observed?.marks },
    findings: described,
    ...(runs && { runs: decidedRuns(runs) }),
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
