import type { ClusterName } from "../../job/model/ids.ts";
import type { Usage } from "../../job/usage/usage.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { CountedJobs } from "../jobs.ts";

/** Counts of Jobs that are kept beside them, of whole hours of their creation. */
export interface JobSums {
  /** How far Jobs are counted; `undefined` before they are for the first time. */
  counted(): Promise<CountedRange | undefined>;
  /** The Jobs of a cluster that were created in some hours. */
  read(cluster: ClusterName, hours: CountedHours): AsyncIterable<CountCell>;
  /** What the Jobs of a cluster reserved on some days, as far as they are over. */
  usage(cluster: ClusterName, days: CountedDays): AsyncIterable<UsageCell>;
}

export interface CountedRange {
  /** Jobs that were created at or after this instant are counted. */
  readonly since: Instant;
  /** As of when the counts are. */
  readonly countedTo?: Instant | undefined;
}

/** Jobs of one namespace with equal group, state and findings, and the sums of their measures. */
export interface CountCell extends CountedJobs {
  readonly namespace: string;
}

/** UTC days (`yyyymmdd`); `to` is exclusive. */
export interface CountedDays {
  readonly from: string;
  readonly to: string;
}

/** The name of all namespaces of a cluster together. No namespace has it. */
export const ALL_NAMESPACES = "*";

export interface UsageCell {
  /** {@link ALL_NAMESPACES} where all namespaces of the cluster are counted together, because there are too many. */
  readonly namespace: string;
  readonly day: string;
  readonly usage: Usage;
}

/** Whole hours of a cluster. */
export interface CountedHours {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** How the cells are grouped. Those of `hour` have no namespace, unless `withNamespaces` is set. */
  readonly by: "namespace" | "owner" | "hour";
  /** @default false */
  readonly withNamespaces?: boolean;
  /** Whether cells name the day of their Jobs in place of a group. @default false */
  readonly byDay?: boolean;
}
