import { earliestOf, type Instant } from "../../job/model/instant.ts";
import { compareOrder } from "../../job/model/order.ts";
import type { ParentRecord, SeenAttempt } from "../status/parent-record.ts";
import { statusOf } from "../status/statuses.ts";
import { type Seen, trueCondition, type WatchedStatus } from "../status/watched-status.ts";
import { byCreation, byTry, type RunJob, workOfJob } from "./run-job.ts";

/** One time that a run started its Jobs. */
export interface RunAttempt {
  /** 0 for the first. */
  readonly number: number;
  readonly startedAt?: Instant;
  /** Not before its start, although numbers of Jobs and counters may go back. */
  readonly endedAt?: Instant;
  readonly state: "Running" | "Complete" | "Failed" | "Interrupted" | "Unknown";
  /** The Job that failed first, otherwise that of the first failed Pod. Such an attempt may still complete. */
  readonly failed?: RunJob;
  /** By creation. */
  readonly jobs: readonly RunJob[];
}

/** The Jobs of an attempt that count. One that was created again for the same work replaces the former one. */
export function currentJobs({ jobs }: Pick<RunAttempt, "jobs"> = { jobs: [] }): readonly RunJob[] {
  return [...new Map(jobs.toSorted(byTry).map((job) => [workOfJob(job), job] as const)).values()];
}

/** How a run ended; `undefined` while it goes on. */
export interface RunEnd {
  readonly state: "Complete" | "Failed" | "Deleted";
  readonly at?: Instant;
}

/** The attempts of a run, oldest first. `controller` is the object that starts the Jobs, if it was observed. */
export function attemptsOf(
  controller: ParentRecord | undefined,
  jobs: readonly RunJob[],
  end: RunEnd | undefined,
): readonly RunAttempt[] {
  const status = controller?.first === undefined ? undefined : statusOf(controller.first.of);
  const seen = seenAttempts(controller, status);
  const starts = numbered(seen, status, jobs).map(([number, attempt, own]) => ({
    number,
    startedAt: startOf(number, { attempt, jobs: own, controller }),
    attempt,
    reported: attempt && status?.attemptState(attempt.last),
    jobs: own,
  }));
  return starts.map((start, index) => {
    const next = starts[index + 1];
    if (next === undefined) {
      return attemptOf(start, { seen: controller?.last, endedAt: end?.at, stateOf: () => lastState(end) });
    }
    const seen = next.attempt?.first;
    const stateOf = (failed: RunJob | undefined) => earlierState(failed, { seen, jobs: start.jobs, later: next.jobs });
    return attemptOf(start, { seen, endedAt: next.startedAt, stateOf });
  });
}

interface StartedAttempt extends Pick<RunAttempt, "number" | "jobs"> {
  readonly startedAt: Instant | undefined;
  /** How the controller reports that it ended. */
  readonly reported: "Complete" | "Failed" | undefined;
}

/** What followed an attempt: the next one, or what is known last. */
interface Following {
  /** What the controller showed then. */
  readonly seen: Seen | undefined;
  readonly endedAt: Instant | undefined;
  /** The state if the controller reports none. */
  readonly stateOf: (failed: RunJob | undefined) => RunAttempt["state"];
}

function attemptOf({ number, startedAt, reported, jobs }: StartedAttempt, following: Following): RunAttempt {
  const { seen, endedAt, stateOf } = following;
  // A run that completes stops its other Jobs, which may fail then.
  const until = stateOf(undefined) === "Complete" ? endedAt : undefined;
  const failed = failedJob(jobs, reportedFailure(seen), until);
  return {
    number,
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt: Math.max(endedAt, startedAt ?? endedAt) }),
    state: reported ?? stateOf(failed),
    ...(failed !== undefined && { failed }),
    jobs,
  };
}

type Numbered = readonly [number: number, attempt: SeenAttempt | undefined, jobs: readonly RunJob[]];

function seenAttempts(
  controller: ParentRecord | undefined,
  status: WatchedStatus | undefined,
): readonly (readonly [string, SeenAttempt])[] {
  if (controller === undefined || status === undefined) return [];
  return [...controller.attempts].sort(([, a], [, b]) => compareOrder(a.first, b.first));
}

/** Each attempt with its number and its Jobs. */
function numbered(
  seen: readonly (readonly [string, SeenAttempt])[],
  status: WatchedStatus | undefined,
  jobs: readonly RunJob[],
): readonly Numbered[] {
  const sorted = [...jobs].sort(byCreation);
  if (status?.jobsBy === "creation") return byBeginning(seen, sorted);
  const attempts = new Map(seen.map(([key, attempt]) => [Number(key), attempt] as const));
  const byNumber = Map.groupBy(sorted, ({ attempt = 0 }) => attempt);
  const numbers = new Set([...attempts.keys(), ...byNumber.keys()]);
  return [...numbers].sort((a, b) => a - b).map((number) => [number, attempts.get(number), byNumber.get(number) ?? []]);
}

/** A Job belongs to the latest attempt that had begun. An attempt without Jobs that never ran is none. */
function byBeginning(seen: readonly (readonly [string, SeenAttempt])[], jobs: readonly RunJob[]): readonly Numbered[] {
  if (seen.length === 0) return jobs.length === 0 ? [] : [[0, undefined, jobs]];
  const own = jobs.map(
    (job) =>
      [
        job,
        Math.max(
          0,
          seen.findLastIndex(([, { first }]) => first.at <= job.createdAt),
        ),
      ] as const,
  );
  return seen
    .map(([, attempt], index) => [attempt, own.filter(([, of]) => of === index).map(([job]) => job)] as const)
    .filter(([{ last }, mine]) => mine.length > 0 || last.fields["jobStatus"] !== undefined)
    .map(([attempt, mine], number) => [number, attempt, mine]);
}

interface Start {
  readonly attempt: SeenAttempt | undefined;
  readonly jobs: readonly RunJob[];
  readonly controller: ParentRecord | undefined;
}

/** The first begins with the run; a later one when it was decided, or when its first Job was created. */
function startOf(number: number, { attempt, jobs, controller }: Start): Instant | undefined {
  const [first] = jobs;
  if (number === 0) return controller?.first?.createdAt ?? first?.createdAt;
  if (attempt === undefined) return first?.createdAt;
  return trueCondition(attempt.first, "RestartingJobSet")?.lastTransitionAt ?? attempt.first.at;
}

/** The name of the Job that failed first, by what the controller said when it went on or ended. */
function reportedFailure(seen: Seen | undefined): string | undefined {
  const condition = seen?.conditions.find(({ status, details }) => status === "True" && details?.["firstFailedJob"]);
  return condition?.details?.["firstFailedJob"];
}

function failedJob(
  jobs: readonly RunJob[],
  reported: string | undefined,
  until: Instant | undefined,
): RunJob | undefined {
  const failed = jobs.filter(({ failedAt, firstFailure }) => {
    const at = earliestOf([failedAt, firstFailure?.at]);
    return at !== undefined && (until === undefined || at <= until);
  });
  const named = failed.findLast(({ name }) => name === reported);
  const current = new Set(currentJobs({ jobs }));
  // A try that was followed by another one did not decide.
  const last = failed.filter((job) => job.workTry === undefined || current.has(job));
  const [first] = (last.length === 0 ? failed : last).sort((a, b) => failureOf(a) - failureOf(b));
  return named ?? first;
}

/** A Job that has failed comes before one with a failed Pod, which may go on. */
function failureOf({ failedAt, firstFailure }: RunJob): Instant {
  return failedAt ?? (firstFailure === undefined ? Infinity : firstFailure.at + NOT_YET);
}
const NOT_YET = Number.MAX_SAFE_INTEGER / 2;

interface EarlierAttempt {
  readonly seen: Seen | undefined;
  readonly jobs: readonly RunJob[];
  /** Those of the next attempt. */
  readonly later: readonly RunJob[];
}

/** An attempt of which a Job is missing may have failed by that: it was erased, or not observed. */
function earlierState(failed: RunJob | undefined, { seen, jobs, later }: EarlierAttempt): RunAttempt["state"] {
  if (failed !== undefined || reportedFailure(seen) !== undefined) return "Failed";
  const known = new Set(jobs.map(workOfJob));
  return jobs.length > 0 && later.every((job) => known.has(workOfJob(job))) ? "Interrupted" : "Unknown";
}

function lastState(end: RunEnd | undefined): RunAttempt["state"] {
  if (end === undefined) return "Running";
  return end.state === "Deleted" ? "Interrupted" : end.state;
}
