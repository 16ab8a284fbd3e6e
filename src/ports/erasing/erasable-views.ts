import type { JobAnswer } from "../../explain/answer-document.ts";
import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { MetaStore } from "../meta.ts";
import type { Projections } from "../projections.ts";
import type { Eraser } from "./eraser.ts";

/** What an erasure has to know of the views that projectors write. */
export interface ErasableViews {
  /** The stored Jobs of a cluster in the projection that answers, each with its state in lists. */
  listedStates(stores: ListedStores, cluster: ClusterName): AsyncIterable<ListedState>;
  /** Removes the announced changes of erased Jobs. Returns how many records were changed. */
  eraseChanges(erased: ErasedChanges): Promise<number>;
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

export interface ErasedChanges {
  readonly meta: MetaStore;
  readonly remove: (key: string) => Promise<void>;
  readonly isErased: (job: JobAnswer) => boolean;
}
