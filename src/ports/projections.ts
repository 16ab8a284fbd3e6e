import type { Instant } from "../job/model/instant.ts";
import type { EncodedJobState } from "./job-row.ts";
import type { JobKey, JobStore, RunStore, StateStore } from "./jobs.ts";

/** Two projections of Jobs: one answers queries while a replay rebuilds the other. */
export type ProjectionName = "A" | "B";

/** Both projections may be open at the same time. */
export interface Projections {
  open(name: ProjectionName): JobStore;
  /** The runs of a projection, as the rows and states of a store of Jobs. Their key has the uid of the run. */
  runs(name: ProjectionName): RunStore;
}

/** In a store where a deletion costs nothing. In other stores, a replay corrects what is stored ({@link IdleJobs}). */
export interface ClearableProjections extends Projections {
  /** Deletes the states, index rows and pages. No deletion is in flight when the promise resolves. */
  clear(name: ProjectionName): Promise<void>;
}

/**
 * The projection that does not answer, in a store whose deletions cost as much as its writes. A replay does not empty
 * it: it lists what is stored, writes what differs, and removes what the log does not have.
 */
export interface IdleJobs extends StateStore {
  /** Called before the first write of a replay. From then on, the lists of the projection are complete. */
  begin(): Promise<void>;
  /**
   * The stored states of one of `of` parts of the store, after the place of an earlier page. Pages whose content does
   * not have their name are removed, and so are items with the key of no Job.
   */
  scan(part: ScannedPart, after?: string): AsyncIterable<ScannedPage>;
  find(key: JobKey): Promise<FoundEntry | undefined>;
  /** What a write would store now. */
  entryOf(key: JobKey, state: EncodedJobState): Promise<WantedEntry>;
  /**
   * Deletes a state that is still the one that was found. A Job that is written again afterwards has the versions from
   * 1 on, so the version alone does not identify a state.
   */
  remove(key: JobKey, found: Pick<FoundEntry, "version" | "bytes" | "summary">): Promise<"removed" | "conflict">;
}

export interface ScannedPart {
  readonly index: number;
  readonly of: number;
}

export interface ScannedPage {
  /** An entry of version 0 is of a Job in a record of several Jobs, whether or not its state is stored. */
  readonly entries: readonly (readonly [JobKey, StoredEntry])[];
  /** Where the next page begins. */
  readonly place: string;
}

/** A stored state, without its content. */
export interface StoredEntry {
  readonly version: number;
  /** Of all that is stored about the state: its bytes, and its place in lists. 16 bytes. */
  readonly digest: Uint8Array;
  /** The creation of a Job that lists find in a record of several Jobs ({@link EncodedJobState.recordedAt}). */
  readonly recordedAt?: Instant;
}

export interface FoundEntry extends StoredEntry {
  readonly bytes: Uint8Array;
  /** Of a listed state: the content of a run. */
  readonly summary?: Uint8Array;
}

export interface WantedEntry extends Pick<StoredEntry, "digest"> {
  /** When the retention of the Job ends. Absent while the Job is live. */
  readonly keptUntil?: Instant;
}
