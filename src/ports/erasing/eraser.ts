import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { JobKey } from "../jobs.ts";
import type { LogItem, LogPack } from "../log.ts";
import type { MetaKind } from "../meta.ts";
import type { Labels } from "../metric-store.ts";
import type { ProjectionName } from "../projections.ts";

/**
 * Removes data from stores that otherwise only grow. Only an erasure uses it (src/erasure). Each operation may be
 * repeated: what is gone already is left alone.
 */
export interface Eraser {
  /** Writes the remains of a log item under its key. */
  replaceItem(remains: LogItem): Promise<void>;
  /** Writes the remains of a pack under its key, in a log with packs. */
  replacePack?(remains: LogPack): Promise<void>;
  removeRecord(kind: MetaKind, key: string): Promise<void>;
  /** The Jobs of a cluster that a projection has, listed or not. */
  storedJobs(projection: ProjectionName, cluster: ClusterName): AsyncIterable<JobUid>;
  /** Removes the state, the row and all pages of a Job. */
  removeJob(projection: ProjectionName, key: JobKey): Promise<void>;
  /** Messages beside the records, in a store that has them. */
  readonly notices?: NoticeEraser;
  /** Metrics, in a store that has them. */
  readonly metrics?: MetricEraser;
  /**
   * Waits until the sums of Jobs are without those that were removed, in a store whose sums follow the states later.
   * Labels of metrics are replaced afterwards.
   */
  settleSums?(): Promise<void>;
  /** Overwrites what removed data has left in the store's files. Reads and writes may wait meanwhile. */
  purge(): Promise<void>;
}

export interface NoticeEraser {
  /** The subjects of a cluster: `cluster#kind#uid`. */
  subjects(cluster: ClusterName): Promise<readonly string[]>;
  /**
   * Removes the messages about a subject that wait, and the content of those that were settled. Their number per
   * receiver stays.
   */
  erase(subject: string, alias: string): Promise<void>;
}

export interface MetricEraser {
  /** The ids of subjects of a cluster: uids of Jobs, and others with a prefix (src/ports/metric-store.ts). */
  subjects(cluster: ClusterName): Promise<readonly string[]>;
  /** Forgets a subject: gauges fall by its amounts, counters keep them. */
  forget(cluster: ClusterName, id: string): Promise<void>;
  /** Replaces labels, and adds up series that have equal labels then. */
  relabel(change: (labels: Labels) => Labels | undefined): Promise<void>;
}
