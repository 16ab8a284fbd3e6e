import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { JobKey } from "../jobs.ts";
import type { LogItem, LogPack } from "../log.ts";
import type { MetaKind } from "../meta.ts";
import type { Labels } from "../metric-store.ts";
import type { ProjectionName } from "../projections.ts";

/**
 * Removes data from stores that otherwise only grow. Only an erasure uses it (src/log/erasure). Each operation can be
 * repeated: data that is already gone is ignored.
 */
export interface Eraser extends StateEraser {
  /** Writes the remains of a log item under its key. */
  replaceItem(remains: LogItem): Promise<void>;
  /** Writes the remains of a pack under its key, in a log with packs. */
  replacePack?(remains: LogPack): Promise<void>;
  removeRecord(kind: MetaKind, key: string): Promise<void>;
  /** The same of runs, by their uids. */
  readonly runs: StateEraser;
  /** Messages that are stored outside of the records, in a store that has them. */
  readonly notices?: NoticeEraser;
  /** Metrics, in a store that has them. */
  readonly metrics?: MetricEraser;
  /** Overwrites the traces of removed data in the store's files. Reads and writes may be blocked meanwhile. */
  purge(): Promise<void>;
}

/** Removes Jobs from the projections. */
export interface StateEraser {
  /** The Jobs of a cluster that a projection has, listed or not. */
  storedJobs(projection: ProjectionName, cluster: ClusterName): AsyncIterable<JobUid>;
  /** Removes the state, the row and all pages of a Job. */
  removeJob(projection: ProjectionName, key: JobKey): Promise<void>;
  /** Removes Jobs from records of several Jobs, in a store that lists Jobs so. Returns how many records it changed. */
  unlistJobs?(projection: ProjectionName, isErased: (key: JobKey) => boolean): Promise<number>;
}

export interface NoticeEraser {
  /** The subjects of a cluster: `cluster#kind#uid`. */
  subjects(cluster: ClusterName): Promise<readonly string[]>;
  /** Removes the waiting messages about a subject, and the content of settled ones. Their number per receiver stays. */
  erase(subject: string, alias: string): Promise<void>;
}

export interface MetricEraser {
  /** The ids of subjects of a cluster: uids of Jobs, and others with a prefix (src/ports/metric-store.ts). */
  subjects(cluster: ClusterName): Promise<readonly string[]>;
  /** Forgets a subject: gauges fall by its amounts, counters keep them. */
  forget(cluster: ClusterName, id: string): Promise<void>;
  /**
   * Replaces labels of what removed subjects contributed, and adds up series that have equal labels afterwards. What
   * existing Jobs contribute keeps its labels. Where sums follow the states later, it waits until they do.
   */
  relabel(change: (labels: Labels) => Labels | undefined): Promise<void>;
}
