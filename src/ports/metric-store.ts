import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";

/**
 * The sums that metrics show. Each subject (a Job, a gap) contributes amounts to some series. The store keeps the
 * amounts of every subject, and replaces them when the subject contributes again, so that a sum never counts anything
 * twice, whatever is delivered, replayed or restarted.
 */
export interface MetricStore {
  /** Replaces the contribution of a subject. In a transaction with the subject's own state, both change together. */
  contribute(subject: MetricSubject, contribution: Contribution): Promise<void>;
  /** All series, in order of family and labels. A counter never shows less than before. */
  show(): Promise<readonly ShownSeries[]>;
  /** Whether there are Jobs that were stored before metrics existed. They have to contribute once. */
  isBehind(): Promise<boolean>;
  caughtUp(): Promise<void>;
}

export interface MetricSubject {
  readonly cluster: ClusterName;
  /**
   * The uid of a Job; or `run/`, `gap/` or `cronjob/`, and the id of a run, a gap or a CronJob; or `removed/` and a
   * series, for what subjects that no longer exist have contributed to it.
   */
  readonly id: string;
}

export interface Contribution {
  readonly amounts: readonly Amount[];
  /** The instant of the contributing state. Long after it, the store may forget the amounts of a deleted Job. */
  readonly at: Instant;
  /** The numbers of families in which the subject's earlier amounts stay, in addition to the new ones. @default none */
  readonly keep?: readonly number[];
}

export interface Amount {
  readonly series: Series;
  /**
   * A series has one or more numbers. 0 is the number itself, or the sum of a histogram; 1 and more are its buckets.
   */
  readonly part: number;
  /** An integer, so that sums do not depend on the order of additions. */
  readonly amount: number;
}

export interface Series {
  /** The number of the family (src/count/metrics/metric-families.ts). */
  readonly family: number;
  /**
   * `gauge`: the sum, which may fall. `counter`: the sum, which never falls. `latest`: the highest amount that was ever
   * contributed.
   */
  readonly kind: "gauge" | "counter" | "latest";
  /** The labels in the order of the family. */
  readonly labels: Labels;
}

export type Labels = Readonly<Record<string, string>>;

export interface ShownSeries extends Series {
  /** The number of each part. */
  readonly parts: ReadonlyMap<number, number>;
}
