import { createHash } from "node:crypto";
import { currentSpec } from "../../job/model/current-spec.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import { finishedAt } from "../../job/status/job-ending.ts";
import { wholeMillis } from "../../job/status/whole-clock.ts";

/** A successful run of a series: a sample of how long its runs take. Its times are in whole seconds, as in the API. */
export interface PastRun {
  /** The first 32 bits of the SHA-256 of the Job's uid. */
  readonly id: number;
  readonly createdAt: Instant;
  readonly endedAt: Instant;
  /** The clock *whole*: from creation to the verdict, without the time during which the run was suspended. */
  readonly millis: number;
  /** Only runs of equal templates are compared. */
  readonly template: number;
}

/** The run as a sample; `undefined` unless Kubernetes reported its success and its creation was observed. */
export function pastRunOf(job: JobObject): PastRun | undefined {
  const { uid, created, reported, complete, failed } = job;
  const spec = currentSpec(job);
  if (created === undefined || spec === undefined || complete === undefined || failed !== undefined) return undefined;
  const endedAt = reported?.status.completionTime ?? finishedAt(job) ?? complete.at;
  const millis = wholeMillis(job, endedAt);
  if (millis === undefined) return undefined;
  const end = wholeSeconds(endedAt);
  const createdAt = Math.min(wholeSeconds(created.createdAt), end);
  const whole = Math.min(wholeSeconds(millis), end - createdAt);
  return { id: runIdOf(uid), createdAt, endedAt: end, millis: whole, template: templateOf(spec) };
}

function wholeSeconds(millis: number): number {
  return Math.round(millis / 1000) * 1000;
}

/** The `id` of the run with this uid. A record of a series has no room for uids. */
export function runIdOf(uid: string): number {
  return hash(uid).readUInt32BE();
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** What decides how long a run takes, besides its image: 24 bits of a hash. Runs of unknown resources are equal. */
export function templateOf({ parallelism, completions, resources }: TemplateFields): number {
  const size = `${parallelism}/${completions ?? ""}`;
  return hash(resources === undefined ? size : `${size}/${resources}`).readUIntBE(0, TEMPLATE_BYTES);
}

type TemplateFields = Pick<JobSpec, "parallelism" | "completions" | "resources">;

/**
 * How many runs of a series are kept: the newest. More than a baseline needs, as a gap may exclude some, and as many as
 * 2 kB have room for (src/projection/series/series-record.ts).
 */
export const MAX_PAST_RUNS = 75;

/** The bytes of a template in a record. */
export const TEMPLATE_BYTES = 3;

/** The newest successful runs of a series, the oldest first, each id once. */
export type PastRuns = readonly PastRun[];

/** `runs` with what is known last of a run. The order in which runs are added does not matter. */
export function withPastRun(runs: PastRuns, run: PastRun): PastRuns {
  const others = withoutPastRun(runs, run.id);
  const place = others.findLastIndex((one) => comparePastRuns(one, run) < 0) + 1;
  return others.toSpliced(place, 0, run).slice(-MAX_PAST_RUNS);
}

/** `runs` without the run of an id. */
export function withoutPastRun(runs: PastRuns, id: number): PastRuns {
  return runs.filter((run) => run.id !== id);
}

function comparePastRuns(a: PastRun, b: PastRun): number {
  return a.endedAt - b.endedAt || a.id - b.id;
}
