import { canonical } from "../../job/model/canonical.ts";
import type { ClusterContext, NodeRecord } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobRow, StoredJob } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import { clusterRecord } from "../../ports/records/cluster-record.ts";
import { nodeRecord } from "../../ports/records/node-record.ts";
import { listDecoded, readRecord } from "../../ports/records/record-codec.ts";
import type { SweepPosition } from "../../ports/records/sweep-checkpoint.ts";
import { decodeJobState, jobObjectOf, type JobState } from "../../projection/job-state/job-state.ts";
import { mayBeSlow } from "../../explain/expectation/job-expectation.ts";
import { readPastRuns } from "../../projection/series/series-runs.ts";
import { deriveRow, rowOf } from "../../projection/job-state/derive-row.ts";
import { readGaps } from "../../query/clusters/cluster-records.ts";
import { loadHints } from "../../query/job/context.ts";
import { type JobView, viewJob } from "../../projection/job-state/read-job.ts";
import { usageByGroup, type UsageMoment } from "../../explain/usage/record-usage.ts";
import { type HourlyUsage, ungrouped } from "../../job/usage/usage.ts";
import { unpackSummary } from "../../projection/job-state/summary-bytes.ts";
import type { RowObserver } from "../../projection/row-observer.ts";
import {
  ALL_LISTS,
  readSweptPage,
  type SweepShard,
  type SweptJob,
  sweptLists,
  type SweptStores,
} from "./sweep-lists.ts";
import { LONG_LIVED_MS } from "../../ports/wide-lists.ts";
import { closeRun, type OpenedRound, openRound } from "./open-round.ts";

export interface SweepPorts extends SweptStores {
  /** Gets each row with what only a sweep finds, before it is written. @default none */
  readonly observer?: RowObserver;
  /** Runs `work` in one transaction where the store has them. @default without one */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
}

export interface SweepRun {
  readonly now: Instant;
  /** Whether there is time for another page. @default always */
  readonly hasTime?: () => boolean;
  /** The most rows in one run. Each row takes one read of the list and one of the state. @default 200000 */
  readonly rows?: number;
  /** A row that was derived less than this many milliseconds ago is up to date. 0 updates every row. @default 60000 */
  readonly freshMillis?: number;
  /** The part of the lists that this run visits. All shards together make a round. @default all lists */
  readonly shard?: SweepShard;
}

export interface Swept {
  readonly rows: number;
  readonly rewritten: number;
  /** The run ended before the last list of its shard. The next run continues. */
  readonly isBehind: boolean;
  /** Every live Job of all shards was visited since this instant. */
  readonly sweptSince: Instant;
}

/** Rows of one page, which are processed concurrently. */
const PAGE = 100;
/**
 * The limit of rows in a run: more than the reference fleet has (100,000 live Jobs). Usually time is the limit: a run
 * of five minutes visits about 2,000 rows per second.
 */
const ROWS = 200_000;
const inPlace = (work: () => Promise<void>) => work();

/**
 * A row that was derived within the last minute is up to date. A cluster without data for longer than this is quiet.
 */
const FRESH_MS = 60_000;

/**
 * Updates the list rows of live Jobs to the current time: a deadline passes, a Job becomes slower than usual, a Pod
 * runs on a Node that is gone, a Node falls silent. It writes only rows that change, and never a Job's state. The next
 * fact of a Job derives its row again. The row of a Job that ended with findings or a cause is derived once more with
 * its Events, and then no longer. An ended Job whose Pods are not settled is swept until they are.
 *
 * One run visits each list of its shard once, as far as its limits allow; the next run continues where it stopped. A
 * round ends when all shards have visited their lists; only then a new one begins. It does not visit Jobs whose rows
 * are complete. In a store with wide lists, it also moves Jobs that have become long-lived to their own lists.
 */
export async function sweepJobs(ports: SweepPorts, run: SweepRun): Promise<Swept> {
  const { shard = ALL_LISTS } = run;
  const opened = await openRound(ports, run.now, shard);
  const sweep = new Sweep(ports, run, opened);
  const { isFirst, position: begin } = opened.own;
  // A shard that has visited its lists waits for the other shards.
  const position = isFirst || begin !== null ? await sweep.from(shard, begin ?? undefined) : undefined;
  const { earlierRows, ...counts } = sweep.counts;
  const isComplete = await closeRun(ports, opened, { shard, position, earlierRows });
  const { startedAt, previousStartedAt } = opened.round;
  // Jobs that this round has not reached were visited in the previous round.
  return { ...counts, isBehind: position !== undefined, sweptSince: isComplete ? startedAt : previousStartedAt };
}

export interface SettleRun extends Omit<SweepRun, "rows"> {
  /** Where an earlier call ended. @default the first row */
  readonly from?: SweepPosition | undefined;
}

/**
 * Updates the list rows of a projection before it answers. It visits every list and does not change the round of the
 * live projection. Returns where the next call continues, or `undefined` at the end.
 */
export async function settleRows(
  ports: SweepPorts,
  { now, from, shard = ALL_LISTS, ...limits }: SettleRun,
): Promise<SweepPosition | undefined> {
  const { wide } = ports.jobs;
  const sweptTo = (await wide?.readCoverage())?.sweptTo;
  const newJobs = sweptTo !== undefined && { newFrom: sweptTo, newTo: Math.max(sweptTo, now - LONG_LIVED_MS) };
  const round = { startedAt: now, previousStartedAt: now, ...newJobs };
  const sweep = new Sweep(ports, { now, rows: Infinity, ...limits }, { round, hasNamespaces: wide === undefined });
  return sweep.from(shard, from);
}

/** The time to which the rows of one cluster are updated, and the context that its Jobs share. */
interface SweepMoment extends Pick<ClusterContext, "nodes" | "gaps"> {
  readonly now: Instant;
  /** Rows as of a later instant are up to date. */
  readonly freshFrom: Instant;
}

type VisitedRound = Pick<OpenedRound, "round" | "hasNamespaces">;

class Sweep {
  readonly #ports: SweepPorts;
  readonly #run: SweepRun;
  readonly #opened: VisitedRound;
  readonly #moments = new Map<ClusterName, Promise<SweepMoment>>();
  readonly counts = { rows: 0, rewritten: 0, earlierRows: 0 };

  constructor(ports: SweepPorts, run: SweepRun, opened: VisitedRound) {
    this.#ports = ports;
    this.#run = run;
    this.#opened = opened;
  }

  /** Visits the lists from `begin` on. Returns where the run ended, or `undefined` at the end of the last one. */
  async from(shard: SweepShard, begin: SweepPosition | undefined): Promise<SweepPosition | undefined> {
    const { hasNamespaces } = this.#opened;
    for await (const list of sweptLists(this.#ports, { shard, begin, hasNamespaces })) {
      let position: SweepPosition | undefined = list;
      while (position !== undefined) {
        if (!this.#isWithinLimits()) return position;
        position = await this.#page(position);
      }
    }
    return undefined;
  }

  #isWithinLimits(): boolean {
    return this.counts.rows < (this.#run.rows ?? ROWS) && this.#run.hasTime?.() !== false;
  }

  async #page(position: SweepPosition): Promise<SweepPosition | undefined> {
    const { round } = this.#opened;
    const page = await readSweptPage(this.#ports.jobs, position, { round, limit: PAGE });
    if (position.list === "namespace") this.counts.earlierRows += page.jobs.length;
    // Before the transaction of the updates.
    await Promise.all(page.jobs.map(({ cluster }) => this.#momentOf(cluster)));
    const update = async () => void (await Promise.all(page.jobs.map((job) => this.#update(job))));
    await (this.#ports.atOnce ?? inPlace)(update);
    return page.next;
  }

  async #update({ cluster, row: listed, isMisplaced }: SweptJob): Promise<void> {
    this.counts.rows += 1;
    const moment = await this.#momentOf(cluster);
    const isFresh = timeOf(listed) > moment.freshFrom;
    if (isFresh && !isMisplaced) return;
    const key = { cluster, jobUid: listed.jobUid };
    const stored = await this.#ports.jobs.read(key);
    if (stored?.row === undefined) return;
    const { row: before, version, ...state } = stored;
    // A fresh Job is only moved: the Events about its last change may still be missing.
    const unchanged = () => rowOf(cluster, decodeJobState(key.jobUid, stored.bytes));
    const row = isFresh ? unchanged() : await this.#rowOf(key, { ...state, version, row: before }, moment);
    if (row === undefined || (!isMisplaced && isSame(row, before))) return;
    // A conflict is harmless: a projection has written the row as of a later fact.
    const { outcome } = await this.#ports.jobs.write(key, { ...state, row }, version);
    if (outcome === "written") this.counts.rewritten += 1;
  }

  async #rowOf(
    key: JobKey,
    { row, ...stored }: Pick<StoredJob, "bytes" | "version"> & { readonly row: JobRow },
    { now, nodes, gaps }: SweepMoment,
  ): Promise<JobRow | undefined> {
    const { meta } = this.#ports;
    const { cluster, jobUid } = key;
    const state = decodeJobState(jobUid, stored.bytes);
    const job = jobObjectOf(state);
    const needed = hintsFor(state, row);
    const hints = needed === undefined ? new Map() : await loadHints(meta, cluster, { job, pods: needed });
    const clusterContext = { nodes, gaps, hints };
    const until = Math.max(now, state.seenAt);
    const pastRuns = mayBeSlow(job, until) ? await readPastRuns(meta, cluster, job.created) : undefined;
    const at = { now: until, clusterContext, pastRuns, sweptAt: this.#run.now };
    const rested = deriveRow(cluster, state, at);
    const isUnread = state.layout === "large" && rested?.row.phase === "F";
    const usageOfLarge = isUnread ? await usageOfPods(viewJob(this.#ports.jobs, key, stored), at) : undefined;
    const derived = usageOfLarge === undefined ? rested : deriveRow(cluster, state, { ...at, usageOfLarge });
    // Before the row: a row that rests is not swept again.
    if (derived !== undefined) await this.#ports.observer?.({ key, state, derived, clusterContext });
    return derived?.row;
  }

  #momentOf(cluster: ClusterName): Promise<SweepMoment> {
    const known = this.#moments.get(cluster) ?? this.#readMoment(cluster);
    this.#moments.set(cluster, known);
    return known;
  }

  /** The current time, or the last heartbeat of a silent cluster, and its Nodes and gaps. */
  async #readMoment(cluster: ClusterName): Promise<SweepMoment> {
    const { meta } = this.#ports;
    const heardAt = (await readRecord(meta, clusterRecord, cluster))?.value.observed?.at;
    const nodes = new Map<string, NodeRecord>();
    for await (const { value } of listDecoded(meta, nodeRecord, ofCluster(cluster))) nodes.set(value.node, value);
    const around = { nodes, gaps: await readGaps(meta, cluster) };
    const { now, freshMillis = FRESH_MS } = this.#run;
    const isQuiet = heardAt !== undefined && heardAt < now - FRESH_MS;
    return isQuiet
      ? { now: heardAt, ...around, freshFrom: Infinity }
      : { now, ...around, freshFrom: now - freshMillis };
  }
}

/** What the Pods of a large Job reserved. They are read page by page, once, when it is at rest. */
async function usageOfPods(view: JobView, moment: UsageMoment): Promise<HourlyUsage | undefined> {
  return ungrouped(await usageByGroup(view, moment));
}

/**
 * The Pods whose hints a row needs; `undefined` if it needs none. Events show why Pods do not start, and why the API
 * server refuses them. They also explain trouble: probes, and who deleted a Pod.
 */
function hintsFor(state: JobState, { attention, summary }: JobRow): readonly PodRecord[] | undefined {
  const { pods, spec, cause, verdict } = unpackSummary(summary);
  const own = state.layout === "inline" ? [...state.record.pods.values()] : [];
  if (attention || cause !== undefined) return own;
  const notStarted = own.filter((pod) => outcomeOf(pod) === "Active" && pod.started === undefined);
  const { parallelism, completions = parallelism } = spec;
  const lacksPods = pods.active === 0 || pods.active < Math.min(parallelism, completions - pods.succeeded);
  return notStarted.length > 0 || (lacksPods && !spec.suspend && !verdict.final) ? notStarted : undefined;
}

/** The time as of which a row is. */
function timeOf({ summary }: JobRow): Instant {
  return parseInstant(unpackSummary(summary).asOf.time) ?? 0;
}

/** Whether two rows say the same. */
function isSame(row: JobRow, other: JobRow): boolean {
  return canonical(decisions(row)) === canonical(decisions(other));
}

/** The content of a row without texts, which contain durations. */
function decisions({ phase, attention, summary }: JobRow) {
  const { verdict, status, findings, cause, waiting, completeness } = unpackSummary(summary);
  return {
    phase,
    attention,
    state: verdict.state,
    reason: verdict.reason,
    basis: verdict.basis,
    status,
    findings: findings.map(({ kind }) => kind),
    cause: cause && [cause.category, cause.responsible, cause.retry],
    waiting: waiting?.reason,
    completeness: completeness.level,
  };
}
