import { PROBE_CLUSTER } from "../../ingest/probe-cluster.ts";
import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { EncodedJobState } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { Amount, Contribution } from "../../ports/metric-store.ts";
import type { StreamedWrite } from "../../ports/streams/streamed-write.ts";
import { JOB_START_DELAY, WASTED_SECONDS } from "../metric-families.ts";
import { differenceOf, replaced } from "./amount-difference.ts";
import { AmountSums } from "./amount-sums.ts";
import { storedContribution } from "./stored-contribution.ts";

export interface CountedMetrics {
  /** Jobs that were created before it do not contribute. */
  readonly since: Instant;
  /** Whether these metrics are shown: Jobs leave the projection because they expire, not because it is emptied. */
  readonly isShown: boolean;
}

/** What writes of Jobs change in the metrics, by cluster. They can be added in any order. */
export class MetricDifferences {
  readonly #counted: CountedMetrics | undefined;
  readonly #clusters = new Map<ClusterName, AmountSums>();

  /** Without `counted`, writes change nothing. */
  constructor(counted?: CountedMetrics) {
    this.#counted = counted;
  }

  add(write: StreamedWrite): void {
    const { cluster } = write.key;
    if (this.#counted === undefined || cluster === PROBE_CLUSTER || isSame(write)) return;
    this.#addTo(this.#sumsOf(cluster), write);
  }

  /** Adds differences that were found before. */
  addAmounts(cluster: ClusterName, amounts: readonly Amount[]): void {
    const sums = this.#sumsOf(cluster);
    for (const amount of amounts) sums.add(amount);
  }

  /** What a state contributes. */
  amountsOf({ jobUid }: JobKey, stored: EncodedJobState | undefined): readonly Amount[] {
    return this.#contribution(jobUid, stored)?.amounts ?? [];
  }

  /** The clusters whose metrics change, by name. */
  clusters(): ReadonlyMap<ClusterName, AmountSums> {
    const changed = [...this.#clusters].filter(([, sums]) => sums.changed().length > 0);
    return new Map(changed.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #sumsOf(cluster: ClusterName): AmountSums {
    const sums = this.#clusters.get(cluster) ?? new AmountSums();
    this.#clusters.set(cluster, sums);
    return sums;
  }

  #addTo(sums: AmountSums, { key: { jobUid }, before: was, after: is }: StreamedWrite): void {
    const before = this.#contribution(jobUid, was)?.amounts ?? [];
    const after = is === undefined ? this.#lasting(before) : replaced(before, ofPods(this.#contribution(jobUid, is)));
    differenceOf(before, after, sums);
  }

  #contribution(jobUid: JobUid, stored: EncodedJobState | undefined): Contribution | undefined {
    const { since = Infinity } = this.#counted ?? {};
    const isCounted = stored?.row !== undefined && stored.row.createdAt >= since;
    return isCounted ? storedContribution(jobUid, stored) : undefined;
  }

  /** Jobs that retention deletes stay counted. */
  #lasting(amounts: readonly Amount[]): readonly Amount[] {
    return this.#counted?.isShown === true ? amounts.filter(({ series }) => series.kind !== "gauge") : [];
  }
}

/**
 * The contribution, of which only what the first Pods of a Job showed remains when it becomes large. The state that is
 * subtracted has no earlier findings.
 */
function ofPods({ amounts, keep = [] }: Pick<Contribution, "amounts" | "keep"> = { amounts: [] }) {
  const families = [JOB_START_DELAY.number, WASTED_SECONDS.number];
  return { amounts, keep: keep.filter((family) => families.includes(family)) };
}

/** Whether a write left everything as it was that metrics count: a sweep that found nothing new. */
function isSame({ before, after }: StreamedWrite): boolean {
  if (before?.row === undefined || after?.row === undefined || before.row.phase !== after.row.phase) return false;
  return Buffer.compare(before.bytes, after.bytes) === 0 && Buffer.compare(before.row.summary, after.row.summary) === 0;
}
