import pLimit from "p-limit";
import type { ClusterName } from "../../../job/model/ids.ts";
import type { Instant } from "../../../job/model/instant.ts";
import { TimeSlice } from "../../../ports/concurrency/time-slice.ts";
import { boundedLabels, labelValue } from "../../../ports/bounded-labels.ts";
import type { Observation } from "../../../parents/cron-job/due-runs.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import { eachCronJob, type KnownCronJob } from "../../../query/cron-jobs/cron-jobs.ts";
import { observationOf } from "../../../query/cron-jobs/observation.ts";
import { needsLook } from "../../../query/cron-jobs/needs-look.ts";
import type { RecentFindings } from "../../../query/cron-jobs/recent-findings.ts";
import { UnfinishedRuns } from "../../../query/cron-jobs/unfinished-runs.ts";
import type { InvalidRecordError } from "../../../ports/records/record-codec.ts";
import type { RowPorts } from "../../../query/list/list-jobs.ts";
import { CRON_JOB_MISSED_RUNS } from "../metric-families.ts";
import { seriesId } from "../sums/amount-sums.ts";
import { type CountedCronJob, countLook } from "./counted-cron-job.ts";
import { PartsOfCluster } from "./parts-of-cluster.ts";
import { readScheduleParts, type StoredSchedulePart } from "./schedule-part.ts";
import { type CountedUntil, holdSchedules, releaseSchedules, type SchedulePosition } from "./schedule-position.ts";
import { scheduleSeries } from "./schedule-series.ts";

export interface ScheduleRun {
  readonly now: Instant;
  /** The number of series of CronJobs of all clusters together. */
  readonly maxSeries: number;
  /** A cache that is kept between runs. */
  readonly recent: RecentFindings;
  /** How long after a run no process counts again. 0 if each run counts. */
  readonly everyMillis: number;
  /** Whether an import may have added what was due before the last run. @default false */
  readonly again?: boolean;
  /** Whether there is time for another CronJob. @default always */
  readonly hasTime?: () => boolean;
}

export interface CountedSchedules {
  /** `held`: all schedules were counted less than `everyMillis` ago, or another process is counting them. */
  readonly outcome: "counted" | "held";
  readonly cronJobs: number;
  /** Whether time ran out before all clusters were counted. The next run continues. */
  readonly isPartial: boolean;
}

/**
 * How long before the counted instant due times are considered again: the controller may still have been able to start
 * their runs.
 */
const AGAIN_MS = 10 * 60_000;
/** How far back the first run of a cluster goes, and one after an import. */
const FIRST_MS = 8 * 24 * 3_600_000;
/** CronJobs whose runs are read at the same time. */
const AT_ONCE = 8;
const HELD = { outcome: "held", cronJobs: 0, isPartial: false } as const;

/**
 * Adds missed runs and findings of CronJobs to the metrics. Each due time counts once, because the record of a CronJob
 * stores its missed runs together with the instant until which due times are counted. A damaged record stays as it is:
 * all others are counted, then its error is thrown.
 */
export async function countSchedules(ports: RowPorts, run: ScheduleRun): Promise<CountedSchedules> {
  const held = await holdSchedules(ports.meta, run);
  if (held === undefined) return HELD;
  const { position } = held;
  const pass = await SchedulePass.open(ports, run);
  const counted = await pass.countFrom(position);
  await releaseSchedules(ports.meta, held, { ...counted, now: run.now });
  pass.forgetOthers();
  for (const damage of pass.damaged.values()) throw damage;
  return { outcome: "counted", cronJobs: pass.looked, isPartial: counted.unfinished !== undefined };
}

function startingAt(clusters: readonly ClusterName[], first: string | undefined): readonly ClusterName[] {
  const index = Math.max(
    0,
    clusters.findIndex((cluster) => cluster === first),
  );
  return [...clusters.slice(index), ...clusters.slice(0, index)];
}

interface PassRecords {
  readonly damaged: ReadonlyMap<ClusterName, InvalidRecordError>;
  readonly parts: ReadonlyMap<ClusterName, readonly StoredSchedulePart[]>;
  readonly unfinished: UnfinishedRuns;
}

/** One pass over the CronJobs of all clusters. */
class SchedulePass {
  readonly #ports: RowPorts;
  readonly #run: ScheduleRun;
  readonly #parts: ReadonlyMap<ClusterName, readonly StoredSchedulePart[]>;
  readonly #unfinished: UnfinishedRuns;
  readonly #series: Set<string>;
  readonly #seen: KnownCronJob[] = [];
  /** Clusters with damaged records. */
  readonly damaged: PassRecords["damaged"];
  looked = 0;

  private constructor(ports: RowPorts, run: ScheduleRun, { parts, unfinished, damaged }: PassRecords) {
    this.damaged = damaged;
    this.#ports = ports;
    this.#run = run;
    this.#parts = parts;
    this.#unfinished = unfinished;
    const shown = [...parts].flatMap(([cluster, stored]) => {
      const each = stored.map(({ part }) => part);
      return scheduleSeries(cluster, each);
    });
    this.#series = new Set(shown.map(seriesId));
  }

  static async open(ports: RowPorts, run: ScheduleRun): Promise<SchedulePass> {
    const parts = new Map<ClusterName, readonly StoredSchedulePart[]>();
    const damaged = new Map<ClusterName, InvalidRecordError>();
    for (const cluster of await clusterNames(ports.meta, "everything")) {
      parts.set(
        cluster,
        await readScheduleParts(ports.meta, cluster, { onDamaged: (error) => damaged.set(cluster, error) }),
      );
    }
    return new SchedulePass(ports, run, { parts, damaged, unfinished: await UnfinishedRuns.read(ports, run.now) });
  }

  /** Counts one cluster after another while there is time, starting with the unfinished one. */
  async countFrom({ countedUntil: before, unfinished: first }: SchedulePosition): Promise<CountedUntil> {
    const countedUntil: Record<string, Instant> = {};
    let unfinished: string | undefined;
    for (const cluster of startingAt([...this.#parts.keys()], first)) {
      const last = before[cluster];
      const heardAt = unfinished === undefined ? await this.#countCluster(cluster, last) : undefined;
      if (heardAt === undefined) unfinished ??= cluster;
      const until = heardAt ?? last;
      if (until !== undefined && Number.isFinite(until)) countedUntil[cluster] = until;
    }
    return { countedUntil, ...(unfinished !== undefined && { unfinished }) };
  }

  /** Returns the instant of the cluster's last data, until which it is counted; `undefined` if time ran out. */
  async #countCluster(cluster: ClusterName, last: Instant | undefined): Promise<Instant | undefined> {
    if (this.#run.hasTime?.() === false) return undefined;
    const observation = await observationOf(this.#ports.meta, cluster, this.#run.now);
    // Without a heartbeat, no run is known to be missed.
    if (!Number.isFinite(observation.heardAt)) return -Infinity;
    const parts = new PartsOfCluster(cluster, this.#parts.get(cluster) ?? []);
    const known: KnownCronJob[] = [];
    for await (const cronJob of eachCronJob(this.#ports.meta, cluster, { isEventual: true })) known.push(cronJob);
    this.#seen.push(...known);
    const since = this.#sinceOf(observation, last);
    const limit = pLimit(AT_ONCE);
    const slice = new TimeSlice();
    const looked = await limit.map(known, async (cronJob) => {
      await slice.next();
      if (this.#run.hasTime?.() === false) return false;
      await this.#count(cronJob, parts, { ...observation, since });
      return true;
    });
    const isWhole = looked.every(Boolean);
    if (isWhole) parts.end(known, observation.heardAt);
    const isWritten = await parts.write(this.#ports.meta);
    const until = isWritten ? observation.heardAt : this.#untilRestored(cluster, last);
    return isWhole ? until : undefined;
  }

  /** A damaged record is not written. Its CronJobs are counted from here on after it has been restored. */
  #untilRestored(cluster: ClusterName, last = -Infinity): Instant | undefined {
    return this.damaged.has(cluster) ? last : undefined;
  }

  /** The instant from which due times are considered. */
  #sinceOf({ heardAt }: Observation, last = -Infinity): Instant {
    const first = heardAt - FIRST_MS;
    return this.#run.again === true ? first : Math.max(first, last - AGAIN_MS);
  }

  /** After a pass over all clusters, clusters that no longer exist are removed from the position. */
  forgetOthers(): void {
    if (this.#run.hasTime?.() !== false) this.#run.recent.keep(this.#seen);
  }

  async #count(cronJob: KnownCronJob, parts: PartsOfCluster, observed: Considered): Promise<void> {
    const { uid, namespace, name } = cronJob.answer;
    const before = parts.of(uid);
    this.looked += 1;
    const since = sinceFor(before, observed);
    if (before === undefined && !needsLook(cronJob, { ...observed, unfinished: this.#unfinished })) return;
    const look = await this.#run.recent.look(this.#ports, cronJob, { ...observed, since });
    const shownAs = before === undefined ? this.#boundedLabels(parts.cluster, namespace, name) : before.shownAs;
    const named = { uid, namespace, name, ...(shownAs && { shownAs }) };
    const counted = countLook(before, named, { ...look, heardAt: observed.heardAt });
    if (counted === undefined) return;
    parts.set(counted);
    for (const series of scheduleSeries(parts.cluster, [{ cronJobs: [counted], ended: [] }])) {
      this.#series.add(seriesId(series));
    }
  }

  /** `undefined`: the CronJob has series of its own. */
  #boundedLabels(cluster: ClusterName, namespace: string, name: string): CountedCronJob["shownAs"] {
    const labels = { cluster, namespace, cronjob: labelValue(name) };
    const family = CRON_JOB_MISSED_RUNS.number;
    const isStored = (form: Readonly<Record<string, string>>) => this.#series.has(seriesId({ family, labels: form }));
    const bound = { maxSeries: this.#run.maxSeries, known: this.#series.size, isStored };
    const { namespace: shown = "", cronjob: cronJob = "" } = boundedLabels(labels, bound);
    return shown === namespace && cronJob === labels.cronjob ? undefined : { namespace: shown, cronJob };
  }
}

interface Considered extends Observation {
  readonly since: Instant;
}

/** The instant from which a CronJob's due times are considered. Those that are not settled are considered again. */
function sinceFor(before: CountedCronJob | undefined, { since }: Considered): Instant {
  if (before === undefined) return since;
  const [oldest = Infinity] = before.recent;
  return Math.min(Math.max(since, before.until), oldest - 1);
}
