import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { CountedJobs } from "../jobs.ts";

/** Counts of Jobs that are kept beside them, of whole hours of their creation. */
export interface JobSums {
  /** How far Jobs are counted; `undefined` before they are for the first time. */
  counted(): Promise<CountedRange | undefined>;
  /** The Jobs of a cluster that were created in some hours. */
  read(cluster: ClusterName, hours: CountedHours): AsyncIterable<CountCell>;
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
