import type { ClusterContext } from "../job/model/cluster-context.ts";
import type { JobRow } from "../ports/job-row.ts";
import type { JobKey } from "../ports/jobs.ts";
import type { DerivedRow } from "./job-state/derive-row.ts";
import type { JobState } from "./job-state/job-state.ts";

/** The state of a Job and its list row, as they were derived. */
export interface ObservedRow {
  readonly key: JobKey;
  readonly state: JobState;
  readonly derived: DerivedRow;
  /** What a sweep knows around the Job. Absent where the row follows from the state alone. */
  readonly clusterContext?: ClusterContext;
}

/** The row of a run that was written. */
export interface ObservedRun {
  /** That of the run is its uid. */
  readonly key: JobKey;
  readonly row: JobRow;
}

/** Gets each changed row of a run, in the transaction of its write where the store has one. */
export type RunObserver = (run: ObservedRun) => Promise<void>;

/** Gets each changed row, in the transaction of its write where the store has one. */
export type RowObserver = (row: ObservedRow) => Promise<void>;
