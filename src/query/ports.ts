import type { Turn } from "../ports/concurrency/fair-turns.ts";
import type { ArchivedJobs } from "../ports/archived-jobs.ts";
import type { JobStore, RunStore } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { JobSums } from "../ports/sums/job-sums.ts";
import type { MetricStore } from "../ports/metric-store.ts";
import type { LogLinks } from "./log-links/log-links.ts";

/** The stores that queries read. `jobs` is the live projection. */
export interface QueryPorts {
  readonly jobs: JobStore;
  /** The runs of the same projection. @default Jobs are answered by what they say themselves */
  readonly runs?: RunStore;
  readonly meta: MetaStore;
  readonly log: Log;
  /** Counts of `jobs`, which summaries read where `jobs` does not count itself. @default they read `jobs` */
  readonly sums?: JobSums;
  /** Absent where metrics are not stored. */
  readonly metrics?: MetricStore;
  /** Where Pods' logs can be read. @default no links */
  readonly logLinks?: LogLinks;
  /** Answers about Jobs whose state has expired. @default they are unknown */
  readonly archived?: ArchivedJobs;
  /** Long computations call `nextTurn` with it, so that other requests are answered in between. */
  readonly turn?: Turn;
}

/** The same, where runs are answered. */
export interface RunPorts extends QueryPorts {
  readonly runs: RunStore;
}
