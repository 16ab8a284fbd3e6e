import * as v from "valibot";
import { amount, type AnswerOf, count, maybe } from "../../explain/answer-parts.ts";
import { bucketMiddle, durationBucket } from "../../job/status/duration-bucket.ts";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { jobDuration } from "../../job/status/job-duration.ts";
import { needlessRuns } from "../../job/accounting/needless-runs.ts";
import { type State } from "../../job/model/states.ts";
import type { CountedJobs } from "../../ports/jobs.ts";
import { percentiles, type Percentiles, percentilesSchema } from "./percentiles.ts";

/** Counts and outcomes of many Jobs. */
export const summaryEntries = {
  jobs: count,
  byState: v.object({
    Pending: maybe(count),
    Running: maybe(count),
    Suspended: maybe(count),
    Complete: maybe(count),
    Failed: maybe(count),
    Deleted: maybe(count),
    Unknown: maybe(count),
  }),
  /** Complete Jobs divided by Complete and Failed Jobs. Absent if there are none. */
  successRate: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** From start to finish, for Jobs with both. */
  durationSeconds: maybe(percentilesSchema),
  /** From creation to the first running Pod, for Jobs with one. Only with `startDelays=true`. */
  startDelaySeconds: maybe(percentilesSchema),
  pods: v.object({ seen: count, succeeded: count, failed: count }),
  /** Needlessly repeated work: Pods that succeeded beyond the requested completions, and their known run time. */
  reRuns: v.object({ jobs: count, pods: count, seconds: amount }),
  /** How many Jobs have each kind of finding. */
  findings: v.record(v.string(), count),
  attention: count,
} as const;
export type SummaryCounts = AnswerOf<v.ObjectSchema<typeof summaryEntries, undefined>>;
type DurationBuckets = readonly (readonly [bucket: number, count: number])[];

/** Adds up Jobs, or counts of a store. */
export class SummaryTally {
  #jobs = 0;
  #attention = 0;
  #pods = { seen: 0, succeeded: 0, failed: 0 };
  #reRuns = { jobs: 0, pods: 0 };
  readonly #byState = new Map<State, number>();
  readonly #findings = new Map<string, number>();
  readonly #durations: number[] = [];
  readonly #startDelays: number[] = [];
  readonly #buckets = new Map<number, number>();
  #needlessSeconds = 0;

  get jobs(): number {
    return this.#jobs;
  }

  add(job: JobAnswer, attention: boolean): void {
    this.#jobs += 1;
    if (attention) this.#attention += 1;
    increment(this.#byState, job.verdict.state);
    for (const kind of new Set(job.findings.map((finding) => finding.kind))) increment(this.#findings, kind);
    this.#addPods(job.pods.seen, job.pods.succeeded, job.pods.failed);
    const reRuns = needlessRuns(job);
    if (reRuns > 0) this.#addReRuns(1, reRuns);
    const millis = jobDuration(job);
    if (millis !== undefined) this.#durations.push(millis / 1_000);
  }

  addCounted(counted: CountedJobs): void {
    const { jobs, state, findings, durations } = counted;
    this.#jobs += jobs;
    this.#attention += counted.attention;
    increment(this.#byState, state, jobs);
    for (const kind of findings === "" ? [] : findings.split(",")) increment(this.#findings, kind, jobs);
    this.#addPods(counted.podsSeen, counted.podsSucceeded, counted.podsFailed);
    this.#addReRuns(counted.jobsAgain, counted.needlessRuns);
    this.addWaste(counted.needlessMillis / 1_000);
    for (const [bucket, count] of durations) increment(this.#buckets, bucket, count);
  }

  addWaste(seconds: number): void {
    this.#needlessSeconds += seconds;
  }

  addStartDelay(seconds: number): void {
    this.#startDelays.push(seconds);
  }

  #addPods(seen: number, succeeded: number, failed: number): void {
    const { seen: s, succeeded: ok, failed: no } = this.#pods;
    this.#pods = { seen: s + seen, succeeded: ok + succeeded, failed: no + failed };
  }

  #addReRuns(jobs: number, pods: number): void {
    this.#reRuns = { jobs: this.#reRuns.jobs + jobs, pods: this.#reRuns.pods + pods };
  }

  #durationSeconds(): Pick<SummaryCounts, "durationSeconds"> {
    if (this.#buckets.size > 0) return { durationSeconds: bucketPercentiles(this.#bucketsOfDurations()) };
    return this.#durations.length > 0 ? { durationSeconds: percentiles(this.#durations) } : {};
  }

  #bucketsOfDurations(): DurationBuckets {
    const buckets = new Map(this.#buckets);
    for (const seconds of this.#durations) increment(buckets, durationBucket(seconds * 1_000));
    return [...buckets].sort(([a], [b]) => a - b);
  }

  answer(): SummaryCounts {
    const complete = this.#byState.get("Complete") ?? 0;
    const ended = complete + (this.#byState.get("Failed") ?? 0);
    return {
      jobs: this.#jobs,
      byState: Object.fromEntries(sortedByName(this.#byState)),
      ...(ended > 0 && { successRate: complete / ended }),
      ...this.#durationSeconds(),
      ...(this.#startDelays.length > 0 && { startDelaySeconds: percentiles(this.#startDelays) }),
      pods: this.#pods,
      reRuns: { ...this.#reRuns, seconds: this.#needlessSeconds },
      findings: Object.fromEntries(sortedByName(this.#findings)),
      attention: this.#attention,
    };
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Sorted by key. */
export function sortedByName<Key extends string, Value>(
  counts: ReadonlyMap<Key, Value>,
): readonly (readonly [Key, Value])[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** In seconds, from the middles of the buckets, which are in order. */
function bucketPercentiles(sorted: DurationBuckets): Percentiles {
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const rank = (share: number): number => {
    let left = Math.max(1, Math.ceil(share * total));
    const found = sorted.find(([, count]) => {
      left -= count;
      return left <= 0;
    });
    return Math.round(bucketMiddle(found?.[0] ?? 0)) / 1_000;
  };
  return { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) };
}
