import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Amount, MetricSubject, Series } from "../metric-store.ts";

/** The metrics of a store with transactions: what each subject contributes, and the numbers of each series. */
export interface MetricTables {
  /** Makes all changes of `work`, or none. A Job's state may be written in the same transaction. */
  inTransaction(work: () => Promise<void>): Promise<void>;
  /** What a subject contributes to the series under which it is summed. */
  amountsOf(subject: MetricSubject): Promise<readonly Amount[]>;
  writeAmounts(subject: MetricSubject, amounts: readonly Amount[], at: Instant): Promise<void>;
  removeSubject(subject: MetricSubject): Promise<void>;
  /** The ids of the subjects of a cluster. */
  subjects(cluster: ClusterName): Promise<readonly string[]>;
  /** What each subject contributes. */
  contributions(): AsyncIterable<readonly Amount[]>;
  /** Which of some series are stored, and how many are. */
  lookUp(series: readonly Series[]): Promise<{ readonly stored: readonly Series[]; readonly count: number }>;
  /** Adds to the sums of a series. Of a series of kind `latest`, the highest remains. */
  add(added: SummedSeries): Promise<void>;
  /** All series. */
  series(): Promise<readonly StoredSeries[]>;
  /** Removes series, then writes others with all their numbers. */
  replaceSeries(change: {
    readonly removed: readonly Series[];
    readonly written: readonly StoredSeries[];
  }): Promise<void>;
  /**
   * Writes what counters have shown, which `raised` finds in what is stored then. `false` if another process keeps the
   * store locked.
   */
  raise(raised: (stored: readonly StoredSeries[]) => readonly StoredSeries[]): Promise<boolean>;
  /** Whether Jobs were stored before metrics were: they have to contribute once. */
  isBehind(): Promise<boolean>;
  caughtUp(): Promise<void>;
}

/** What is added to the numbers of one series. */
export interface SummedSeries {
  readonly series: Series;
  readonly parts: ReadonlyMap<number, number>;
}

/** One number of a series. A gauge has a sum only. */
export interface MetricNumber {
  /** What the subjects contribute. */
  readonly sum: number;
  /** What a counter has in addition since its projection began to answer, so that it continued where it was. */
  readonly base: number;
  /**
   * The highest number that a counter has shown. It never shows less. Of a bucket, with those below it, as in an
   * exposition: an observation that moves to a lower bucket, such as the start of an earlier Pod, lowers none of them.
   */
  readonly shown: number;
}

export interface StoredSeries {
  readonly series: Series;
  readonly numbers: ReadonlyMap<number, MetricNumber>;
}
