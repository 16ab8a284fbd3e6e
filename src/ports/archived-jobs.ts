import type { ClusterFact } from "../job/model/fact.ts";
import type { ClusterName, JobUid } from "../job/model/ids.ts";
import type { State } from "../job/model/states.ts";
import type { LogItem, LogKey } from "./log.ts";

/** The ended Jobs and the segments of an archive, which are read when they have expired in the tables. */
export interface ArchivedJobs {
  /**
   * The newest Job of the name, or the one with the uid; `undefined` if the archive has none. Reads the segments of
   * whole hours, which takes seconds.
   */
  find(wanted: ArchivedName): Promise<ArchivedJob | undefined>;
  /**
   * A segment that has left the log; `undefined` if the archive does not have it. Reads the segments of its cluster in
   * the hour of its arrival.
   */
  readSegment(key: LogKey): Promise<LogItem | undefined>;
}

export interface ArchivedName {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

export interface ArchivedJob {
  readonly jobUid: JobUid;
  /** The segments that contain facts about the Job, in order of their keys. */
  readonly items: readonly LogItem[];
  /** Facts about the cluster in the segments of the same hours: hints, gaps. */
  readonly around: readonly ClusterFact[];
  /** All Jobs of this name, newest first. */
  readonly generations: readonly ArchivedGeneration[];
}

export interface ArchivedGeneration {
  readonly uid: string;
  readonly createdAt: string;
  readonly finishedAt?: string;
  readonly state: State;
}
