import { PROBE_CLUSTER } from "../ports/records/cluster-record.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { type CountedMetrics, MetricDifferences } from "../metrics/sums/metric-differences.ts";
import type { StreamedWrite } from "../ports/streams/streamed-write.ts";
import { CountTable } from "./count-table.ts";
import type { CountBatch, HourDifference } from "./count-batch.ts";
import { type JobShare, needsState, shareOf } from "./job-share.ts";

/** The differences of many writes. They can be added in any order. */
export class Differences {
  readonly #hours = new Map<string, HourDifference>();
  readonly #since: Instant;
  /** What they change in the metrics of Jobs, if these are counted. */
  readonly metrics: MetricDifferences;
  /** How many writes were added. */
  writes = 0;
  /** When the first of them was made. */
  oldestAt: Instant | undefined;

  /** `since`: hours before it are not counted. */
  constructor(since: Instant, metrics?: CountedMetrics) {
    this.#since = since;
    this.metrics = new MetricDifferences(metrics);
  }

  add(write: StreamedWrite): void {
    this.writes += 1;
    this.oldestAt = Math.min(this.oldestAt ?? write.at, write.at);
    this.metrics.add(write);
    const { cluster, jobUid } = write.key;
    if (cluster === PROBE_CLUSTER || isSameRow(write)) return;
    this.#add(cluster, write.before && shareOf(jobUid, write.before), -1);
    this.#add(cluster, write.after && shareOf(jobUid, write.after), 1);
  }

  /** Adds the differences of writes that were delivered together. */
  addBatch({ writes, oldestAt, hours, metrics }: CountBatch): void {
    this.writes += writes;
    this.oldestAt = Math.min(this.oldestAt ?? oldestAt, oldestAt);
    for (const each of hours) this.#tableOf(each)?.addTable(each.table);
    for (const [cluster, amounts] of metrics) this.metrics.addAmounts(cluster, amounts);
  }

  /** The hours that change. */
  hours(): readonly HourDifference[] {
    return this.touched().filter(({ table }) => !table.isEmpty);
  }

  /** Like {@link hours}, and the hours in which later writes undid every change. */
  touched(): readonly HourDifference[] {
    return [...this.#hours.values()];
  }

  /** How many sums change: of hours, and of the metrics of clusters. */
  sums(): number {
    return this.hours().length + this.metrics.clusters().size;
  }

  /** Whether a write changed a Job of an hour of this range, even if another one changed it back. */
  touches(from: Instant, to: Instant): boolean {
    return [...this.#hours.values()].some(({ hour }) => hour >= from && hour < to);
  }

  #add(cluster: ClusterName, share: JobShare | undefined, times: 1 | -1): void {
    if (share !== undefined) this.#tableOf({ cluster, hour: share.hour })?.add(share.cell, times);
  }

  #tableOf({ cluster, hour }: Pick<HourDifference, "cluster" | "hour">): CountTable | undefined {
    if (hour < this.#since) return undefined;
    const id = `${cluster}#${hour}`;
    const known = this.#hours.get(id) ?? { cluster, hour, table: new CountTable() };
    this.#hours.set(id, known);
    return known.table;
  }
}

/** Whether a write certainly does not change the share of its Job. Most facts after the end of a Job do not. */
function isSameRow({ before, after }: StreamedWrite): boolean {
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
