import type { JobAnswer } from "../../explain/answer-document.ts";
import type { RunFact } from "../../job/model/fact.ts";
import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../meta.ts";
import type { Projections } from "../projections.ts";
import type { Eraser, StateEraser } from "./eraser.ts";

/** What an erasure has to know of the views that projectors write. */
export interface ErasableViews {
  /** The stored Jobs of a cluster in the projection that answers, each with its state in lists. */
  listedStates(stores: ListedStores, cluster: ClusterName): AsyncIterable<ListedState>;
  /** Removes the announced changes of erased Jobs. Returns how many records were changed. */
  eraseChanges(erased: ErasedChanges): Promise<number>;
  /**
   * Removes the runs of erased objects from both projections, and erased Jobs and facts from other runs. Call it after
   * the Jobs were removed. Returns how many runs were changed.
   */
  eraseRuns(erased: ErasedRuns): Promise<number>;
  /** Removes the runs of erased Jobs from the records of their series. Call it before the Jobs are removed. */
  eraseSeriesRuns(erased: ErasedSeriesRuns): Promise<void>;
}

export interface ListedStores {
  readonly meta: MetaStore;
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "storedJobs">;
}

export interface ListedState {
  readonly jobUid: JobUid;
  /** `Unknown` if the Job is not listed. */
  readonly state: string;
}

export interface ErasedRuns {
  readonly cluster: ClusterName;
  readonly projections: Projections;
  readonly eraser: StateEraser;
  readonly isErasedJob: (job: NamedJob) => boolean;
  readonly isErasedFact: (fact: RunFact) => boolean;
  /** What is left in the log and the archive about all runs of the cluster. */
  readonly factsLeft: () => AsyncIterable<RunFact>;
}

/** The name of a Job when it was created. */
export interface NamedJob {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: Instant;
}

export interface ErasedSeriesRuns {
  readonly cluster: ClusterName;
  readonly meta: MetaStore;
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "storedJobs" | "removeRecord">;
  readonly isErasedJob: (jobUid: JobUid) => boolean;
}

export interface ErasedChanges {
  readonly meta: MetaStore;
  readonly remove: (key: string) => Promise<void>;
  readonly isErased: (job: JobAnswer) => boolean;
}
