import { countIndexes, parseIndexSet } from "../../job/accounting/index-set.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import type { State } from "../../job/model/states.ts";
import type { JobStatus } from "../../job/status/job-status.ts";
import { wholeMillis } from "../../job/status/whole-clock.ts";
import {
  type Expectation,
  expectationOf,
  type RunInProgress,
  SLOW_FLOOR_MILLIS,
} from "../../parents/series/expectation.ts";
import { type PastRuns, templateOf } from "../../parents/series/past-run.ts";

interface KnownOfSeries {
  readonly job: JobObject;
  readonly pastRuns?: PastRuns | undefined;
  readonly clusterContext: Pick<ClusterContext, "gaps">;
  readonly now: Instant;
}

interface DerivedState {
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly state: State;
}

/** Whether the past runs of a Job's series are needed at all. */
export function mayBeInProgress({ complete, failed, deleted }: JobObject): boolean {
  return (complete ?? failed ?? deleted) === undefined;
}

/** Whether a Job has run for so long that it may be slower than usual. */
export function mayBeSlow(job: JobObject, now: Instant): boolean {
  return mayBeInProgress(job) && (wholeMillis(job, now) ?? 0) >= SLOW_FLOOR_MILLIS;
}

/** How long a Job will take that has not ended, by the past runs of its series. */
export function expectationOfJob(
  { job, pastRuns, clusterContext, now }: KnownOfSeries,
  { spec, status, state }: DerivedState,
): Expectation | undefined {
  if (pastRuns === undefined || !IN_PROGRESS.has(state)) return undefined;
  const elapsed = wholeMillis(job, now);
  if (elapsed === undefined) return undefined;
  const current = { template: templateOf(spec), elapsed, ...indexesOf(spec, status) };
  return expectationOf(pastRuns, current, clusterContext.gaps);
}

const IN_PROGRESS: ReadonlySet<State> = new Set(["Pending", "Running", "Suspended"]);

function indexesOf({ completionMode, completions }: JobSpec, status: JobStatus): Pick<RunInProgress, "indexes"> {
  if (completionMode !== "Indexed" || completions === undefined) return {};
  const finished = [status.completedIndexes, status.failedIndexes].map((text = "") => parseIndexSet(text, completions));
  return { indexes: { finished: finished.reduce((sum, set) => sum + countIndexes(set), 0), total: completions } };
}
