import { PROBE_CLUSTER } from "../ports/deployment/limits.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { JOB_START_DELAY, RESERVED_SECONDS, WASTED_SECONDS } from "./metrics/metric-families.ts";
import { differenceOf, lasting, replaced } from "./metrics/sums/amount-difference.ts";
import { AmountSums } from "./metrics/sums/amount-sums.ts";
import { contributionOf, type StoredSubject } from "./metrics/sums/stored-contribution.ts";
import type { EncodedJobState } from "../ports/job-row.ts";
import type { JobKey } from "../ports/jobs.ts";
import type { Amount, Contribution } from "../ports/metric-store.ts";
import type { StreamedWrite } from "../ports/streams/streamed-write.ts";
import type { CountBatch, HourDifference } from "./count-batch.ts";
import { usageByDay } from "./usage/usage-by-day.ts";
import { type UsageDifference, UsageTable } from "./usage/usage-table.ts";
import { CountTable } from "./count-table.ts";
import { needsState, shareOf } from "./job-share.ts";

/** Which Jobs contribute to metrics. */
export interface ContributingSince {
  /** Jobs that were created before it do not contribute. */
  readonly since: Instant;
  /** Whether these metrics are shown: Jobs leave the projection because they expire, not because it is emptied. */
  readonly isShown: boolean;
}

/** Whether a share is added or subtracted, and whether what the Job reserved is, too. */
interface ShareChange {
  readonly times: 1 | -1;
  readonly hasUsage: boolean;
}

/** What writes of Jobs and runs change in counts of hours and metrics of clusters. They can be added in any order. */
export class Differences {
  readonly #hours = new Map<string, HourDifference>();
  readonly #usage = new Map<string, UsageDifference>();
  readonly #clusters = new Map<ClusterName, AmountSums>();
  readonly #since: Instant;
  readonly #metrics: ContributingSince | undefined;
  /** How many writes were added. */
  writes = 0;
  /** When the first of them was made. */
  oldestAt: Instant | undefined;

  /** `since`: hours before it are not counted. Without `metrics`, writes change none. */
  constructor(since: Instant, metrics?: ContributingSince) {
    this.#since = since;
    this.#metrics = metrics;
  }

  add(write: StreamedWrite): void {
    this.writes += 1;
    this.oldestAt = Math.min(this.oldestAt ?? write.at, write.at);
    const { key, before, after } = write;
    if (key.cluster === PROBE_CLUSTER) return;
    if (this.#metrics !== undefined && !isSameState(write)) this.#contribute(write);
    if (write.isRun === true || isSameShare(write)) return;
    // What Jobs reserved that retention deletes stays counted, like their metrics.
    const isExpired = after === undefined && this.#metrics?.isShown === true;
    this.#addShare(key, before, { times: -1, hasUsage: !isExpired });
    this.#addShare(key, after, { times: 1, hasUsage: true });
  }

  /** Adds the differences of writes that were delivered together. */
  addBatch({ writes, oldestAt, hours, usage, metrics }: CountBatch): void {
    this.writes += writes;
    this.oldestAt = Math.min(this.oldestAt ?? oldestAt, oldestAt);
    for (const each of hours) this.#tableOf(each)?.addTable(each.table);
    for (const each of usage) this.#usageOf(each).addTable(each.table);
    for (const [cluster, amounts] of metrics) {
      for (const amount of amounts) this.#sumsOf(cluster).add(amount);
    }
  }

  /** The hours that change. */
  hours(): readonly HourDifference[] {
    return this.touched().filter(({ table }) => !table.isEmpty);
  }

  /** Like {@link hours}, and the hours in which later writes undid every change. */
  touched(): readonly HourDifference[] {
    return [...this.#hours.values()];
  }

  /** The days on which what Jobs reserved changes. */
  usage(): readonly UsageDifference[] {
    return [...this.#usage.values()].filter(({ table }) => !table.isEmpty);
  }

  /** The clusters whose metrics change, by name. */
  clusters(): ReadonlyMap<ClusterName, AmountSums> {
    const changed = [...this.#clusters].filter(([, sums]) => sums.changed().length > 0);
    return new Map(changed.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** How many sums change: of hours, of the usage of days, and of the metrics of clusters. */
  sums(): number {
    return this.hours().length + this.usage().length + this.clusters().size;
  }

  /** Whether a write changed a Job of an hour of this range, even if another one changed it back. */
  touches(from: Instant, to: Instant): boolean {
    return [...this.#hours.values()].some(({ hour }) => hour >= from && hour < to);
  }

  /** What a state contributes to metrics. */
  amountsOf(of: StoredSubject, stored: EncodedJobState | undefined): readonly Amount[] {
    return this.#contributionOf(of, stored)?.amounts ?? [];
  }

  #addShare({ cluster, jobUid }: JobKey, stored: EncodedJobState | undefined, { times, hasUsage }: ShareChange): void {
    const share = stored && shareOf(jobUid, stored);
    if (share === undefined) return;
    const { hour, cell, usage } = share;
    this.#tableOf({ cluster, hour })?.add(cell, times);
    for (const [day, own] of hasUsage && usage ? usageByDay(usage) : []) {
      this.#usageOf({ cluster, day }).add(cell.namespace, own, times);
    }
  }

  #usageOf({ cluster, day }: Pick<UsageDifference, "cluster" | "day">): UsageTable {
    const id = `${cluster}#${day}`;
    const known = this.#usage.get(id) ?? { cluster, day, table: new UsageTable() };
    this.#usage.set(id, known);
    return known.table;
  }

  #contribute(write: StreamedWrite): void {
    const { key, before: was, after: is } = write;
    const before = this.amountsOf(write, was);
    // Jobs that retention deletes stay counted.
    const left = this.#metrics?.isShown === true ? lasting(before) : [];
    const after = is === undefined ? left : replaced(before, ofPods(this.#contributionOf(write, is)));
    differenceOf(before, after, this.#sumsOf(key.cluster));
  }

  #contributionOf(of: StoredSubject, stored: EncodedJobState | undefined): Contribution | undefined {
    const { since = Infinity } = this.#metrics ?? {};
    const isCounted = stored?.row !== undefined && stored.row.createdAt >= since;
    return isCounted ? contributionOf(of, stored) : undefined;
  }

  #sumsOf(cluster: ClusterName): AmountSums {
    const sums = this.#clusters.get(cluster) ?? new AmountSums();
    this.#clusters.set(cluster, sums);
    return sums;
  }

  #tableOf({ cluster, hour }: Pick<HourDifference, "cluster" | "hour">): CountTable | undefined {
    if (hour < this.#since) return undefined;
    const id = `${cluster}#${hour}`;
    const known = this.#hours.get(id) ?? { cluster, hour, table: new CountTable() };
    this.#hours.set(id, known);
    return known.table;
  }
}

/**
 * The contribution, of which only what the first Pods of a Job showed remains when it becomes large. The state that is
 * subtracted has no earlier findings.
 */
function ofPods({ amounts, keep = [] }: Pick<Contribution, "amounts" | "keep"> = { amounts: [] }) {
  const families = [JOB_START_DELAY.number, WASTED_SECONDS.number, RESERVED_SECONDS.number];
  return { amounts, keep: keep.filter((family) => families.includes(family)) };
}

/** Whether a write left everything as it was that metrics count: a sweep that found nothing new. */
function isSameState({ before, after }: StreamedWrite): boolean {
  if (before?.row === undefined || after?.row === undefined || before.row.phase !== after.row.phase) return false;
  return Buffer.compare(before.bytes, after.bytes) === 0 && Buffer.compare(before.row.summary, after.row.summary) === 0;
}

/** Whether a write certainly leaves the share of its Job as it was. Most facts after the end of a Job do. */
function isSameShare({ before, after }: StreamedWrite): boolean {
  if (before?.row === undefined || after?.row === undefined) return false;
  const [was, is] = [before.row, after.row];
  return (
    Buffer.compare(was.summary, is.summary) === 0 &&
    was.attention === is.attention &&
    was.createdAt === is.createdAt &&
    was.namespace === is.namespace &&
    !needsState(is)
  );
}
