import { currentSpec } from "../../job/model/current-spec.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import { finishedAt } from "../../job/status/job-ending.ts";
import { wholeMillis } from "../../job/status/whole-clock.ts";

/** A successful run of a series: a sample of how long its runs take. */
export interface PastRun {
  readonly uid: string;
  readonly createdAt: Instant;
  readonly endedAt: Instant;
  /** The clock *whole*: from creation to the verdict, without the time during which the run was suspended. */
  readonly millis: number;
  /** Only runs of equal templates are compared. */
  readonly template: string;
}

/** The run as a sample; `undefined` unless Kubernetes reported its success and its creation was observed. */
export function pastRunOf(job: JobObject): PastRun | undefined {
  const { uid, created, reported, complete, failed } = job;
  const spec = currentSpec(job);
  if (created === undefined || spec === undefined || complete === undefined || failed !== undefined) return undefined;
  const endedAt = reported?.status.completionTime ?? finishedAt(job) ?? complete.at;
  const millis = wholeMillis(job, endedAt);
  if (millis === undefined) return undefined;
  return { uid, createdAt: created.createdAt, endedAt, millis, template: templateOf(spec) };
}

/** What decides how long a run takes, as far as facts have it. */
export function templateOf({ parallelism, completions }: Pick<JobSpec, "parallelism" | "completions">): string {
  return `${parallelism}/${completions ?? ""}`;
}

/** How many runs of a series are kept: the newest. More than a baseline needs, as a gap may exclude some. */
export const MAX_PAST_RUNS = 100;

/** The newest successful runs of a series, the oldest first, each uid once. */
export type PastRuns = readonly PastRun[];

/** `runs` with what is known last of a run. The order in which runs are added does not matter. */
export function withPastRun(runs: PastRuns, run: PastRun): PastRuns {
  const others = runs.filter(({ uid }) => uid !== run.uid);
  const place = others.findLastIndex((one) => comparePastRuns(one, run) < 0) + 1;
  return others.toSpliced(place, 0, run).slice(-MAX_PAST_RUNS);
}

function comparePastRuns(a: PastRun, b: PastRun): number {
  return a.endedAt - b.endedAt || compareText(a.uid, b.uid);
}
