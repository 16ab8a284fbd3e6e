import type { Instant } from "../../job/model/instant.ts";
import type { JobKey, NamespaceOfJobs } from "../jobs.ts";
import type { ListPosition } from "../job-row.ts";

/**
 * When the rows of the Jobs, or of the runs, of one projection expire, in a store that deletes expired rows by itself.
 */
export interface JobExpiries {
  /**
   * One page of the Jobs of a namespace, or of a name in it, including live ones. The oldest come first, because they
   * expire next.
   */
  list(jobs: NamespaceOfJobs & { readonly name?: string }, options: ExpiryRange): Promise<ExpiringJobs>;
  /** One of them; `undefined` if it has no row. */
  read(key: JobKey): Promise<ExpiringJob | undefined>;
  /** The pages of a large Job, also those that its state no longer refers to. */
  listPages(key: JobKey): AsyncIterable<ExpiringPage>;
  /**
   * Sets the expiry of a state if it has this version. `conflict`: a writer came first, and has applied its own rules.
   */
  setState(key: JobKey, state: { readonly version: number; readonly expiresAt: Instant }): Promise<ExpiryOutcome>;
  /** Sets the expiry of a page, if it still is the one that was read. */
  setPage(key: JobKey, page: ExpiringPage, expiresAt: Instant): Promise<ExpiryOutcome>;
}

export interface ExpiryRange {
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface ExpiringJobs {
  readonly jobs: readonly ExpiringJob[];
  readonly next?: ListPosition;
}

export interface ExpiringJob {
  readonly key: JobKey;
  readonly namespace: string;
  readonly name: string;
  /** When the Job ended, or else its creation. */
  readonly endedAt: Instant;
  readonly version: number;
  /** Absent for a live Job, whose state does not expire. */
  readonly expiresAt?: Instant;
  /** The encoded state (src/projection/job-state), or the record of a run (src/projection/run-state). */
  readonly state: Uint8Array;
}

export interface ExpiringPage {
  readonly hash: string;
  readonly expiresAt: Instant;
}

export type ExpiryOutcome = "written" | "conflict";
