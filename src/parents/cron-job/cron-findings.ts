import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count } from "../../job/text/sentence.ts";
import type { KnownGaps } from "../series/expectation.ts";
import type { PastRuns } from "../series/past-run.ts";
import { type SlowerTrend, slowerTrend } from "../series/slower-trend.ts";
import { type CronPlan, plannedTimes } from "./cron-plan.ts";
import type { CronJobRun, DueRun } from "./due-runs.ts";

/** A deviation of a CronJob, rather than of one of its Jobs. */
export type CronFinding = MissedRun | ConsecutiveFailures | TrendSlower | OverlappingRun;
/** Every kind of finding of a CronJob. */
export const CRON_FINDING_KINDS = [
  "MissedRun",
  "ConsecutiveFailures",
  "TrendSlower",
  "OverlappingRun",
] as const satisfies readonly CronFinding["kind"][];

/** Due times without a run, the last of which is recent or the last one decided. */
export interface MissedRun {
  readonly kind: "MissedRun";
  readonly since: Instant;
  readonly lastDueAt: Instant;
  readonly count: number;
  /** Whether the controller will no longer start the last of them. */
  readonly final: boolean;
  readonly startingDeadlineSeconds?: number;
}

/** The last runs that ended all failed. */
export interface ConsecutiveFailures {
  readonly kind: "ConsecutiveFailures";
  readonly since: Instant;
  readonly count: number;
  /** The newest of them. */
  readonly run: string;
  /** Every run that is known failed: there may be earlier failures. */
  readonly atLeast: boolean;
}

/** The last runs took longer than most of those before. */
export interface TrendSlower extends SlowerTrend {
  readonly kind: "TrendSlower";
}

/** A run was in progress when the next one was due. */
export interface OverlappingRun {
  readonly kind: "OverlappingRun";
  /** The first due time that it overlaps. */
  readonly since: Instant;
  readonly run: string;
  readonly concurrencyPolicy: string;
}

/** A Job of the CronJob, and its state. */
export interface ObservedRun extends CronJobRun {
  readonly startedAt?: Instant;
  readonly state: State;
  /** Why it is in this state: "BackoffLimitExceeded". */
  readonly reason?: string;
  /** The labels of its Job, and its annotations for Outlive. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface CronFindingsInput {
  readonly plan: CronPlan;
  /** What became of the last due times, in order. */
  readonly due: readonly DueRun[];
  /** The last runs, in any order. */
  readonly runs: readonly ObservedRun[];
  /** The latest data from the cluster. */
  readonly heardAt: Instant;
  /** The past runs of the series, more than the last ones. */
  readonly pastRuns: PastRuns;
  readonly gaps: KnownGaps;
}

/** The findings about a CronJob: what its last runs and due times show, as of the last data from the cluster. */
export function cronFindings(input: CronFindingsInput): readonly CronFinding[] {
  const runs = input.runs.toSorted((a, b) => b.createdAt - a.createdAt);
  const found = [
    findMissedRun(input),
    findConsecutiveFailures(runs),
    findTrendSlower(input),
    findOverlappingRun(runs, input),
  ];
  return found.filter((finding) => finding !== undefined);
}

/** How long a missed run is reported after the next run was on time. */
export const RECENT_MISS_MILLIS = 3_600_000;

function findMissedRun({ due, heardAt }: CronFindingsInput): MissedRun | undefined {
  const decided = due.filter(({ outcome }) => outcome !== "pending" && outcome !== "unknown");
  const isOpen = decided.at(-1)?.outcome === "missed";
  const missed = due.filter((one) => one.outcome === "missed");
  const last = missed.at(-1);
  if (last === undefined || (!isOpen && heardAt - last.dueAt > RECENT_MISS_MILLIS)) return undefined;
  // Those since the last run before the last missed one.
  const lastRanAt = due.findLast(({ dueAt, outcome }) => outcome === "ran" && dueAt < last.dueAt)?.dueAt ?? -Infinity;
  const together = missed.filter(({ dueAt }) => dueAt > lastRanAt);
  const { final, startingDeadlineSeconds } = last;
  return {
    kind: "MissedRun",
    since: together[0]?.dueAt ?? last.dueAt,
    lastDueAt: last.dueAt,
    count: together.length,
    final,
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
  };
}

/** Fewer failures in a row are findings of their Jobs. */
const FAILURES_IN_ROW = 3;

/** Whether a run succeeded or failed. One that was deleted or replaced before did neither. */
export function isDecided({ state }: Pick<ObservedRun, "state">): boolean {
  return state === "Complete" || state === "Failed";
}

function findConsecutiveFailures(newestFirst: readonly ObservedRun[]): ConsecutiveFailures | undefined {
  const ended = newestFirst.filter(isDecided);
  const successAt = ended.findIndex(({ state }) => state === "Complete");
  const failed = successAt === -1 ? ended : ended.slice(0, successAt);
  const [newest] = failed;
  const oldest = failed.at(-1);
  if (newest === undefined || oldest === undefined || failed.length < FAILURES_IN_ROW) return undefined;
  return {
    kind: "ConsecutiveFailures",
    since: oldest.endedAt ?? oldest.createdAt,
    count: failed.length,
    run: newest.name,
    atLeast: successAt === -1,
  };
}

function findTrendSlower({ pastRuns, gaps }: CronFindingsInput): TrendSlower | undefined {
  const trend = slowerTrend(pastRuns, gaps);
  return trend && { kind: "TrendSlower", ...trend };
}

function findOverlappingRun(
  newestFirst: readonly ObservedRun[],
  { plan, heardAt }: CronFindingsInput,
): OverlappingRun | undefined {
  const open = newestFirst.findLast(({ endedAt, state }) => endedAt === undefined && isUnfinished(state));
  if (open === undefined) return undefined;
  const after = open.scheduledAt ?? open.createdAt;
  const [next] = plannedTimes(plan, { after, until: heardAt, limit: 1 });
  if (next === undefined) return undefined;
  const { concurrencyPolicy } = next.span;
  return { kind: "OverlappingRun", since: next.at, run: open.name, concurrencyPolicy };
}

function isUnfinished(state: State): boolean {
  return state === "Running" || state === "Pending";
}

/** A finding about a CronJob as one sentence. It names no cluster, namespace or CronJob. */
export function explainCronFinding(finding: CronFinding): string {
  switch (finding.kind) {
    case "MissedRun":
      return missedText(finding);
    case "ConsecutiveFailures":
      return failuresText(finding);
    case "TrendSlower":
      return (
        `The median of the last ${finding.last} runs is ${durationText(finding.median)}; ` +
        `9 in 10 of the ${finding.before} runs before took at most ${durationText(finding.p90)}.`
      );
    case "OverlappingRun":
      return overlapText(finding);
  }
}

function missedText({ count: missed, since, lastDueAt, final, startingDeadlineSeconds }: MissedRun): string {
  const [first, last] = [since, lastDueAt].map(formatInstant);
  const which = missed === 1 ? `the due time ${last}` : `${count(missed, "due time")} from ${first} to ${last}`;
  const what = `No run was created for ${which}`;
  const deadline =
    final && startingDeadlineSeconds !== undefined
      ? ` within startingDeadlineSeconds (${startingDeadlineSeconds})`
      : "";
  return `${what}${deadline}${final ? "" : "; it may still start late"}.`;
}

/** With the cause of the newest one, a clause, if it is known. */
export function failuresText({ count: failures, since, run, atLeast }: ConsecutiveFailures, cause?: string): string {
  const many = `The last ${atLeast ? "known " : ""}${failures} runs failed`;
  const why = cause === undefined ? "" : `: ${cause}`;
  return `${many}, since ${formatInstant(since)}; the newest is ${run}${why}.`;
}

function overlapText({ run, since, concurrencyPolicy }: OverlappingRun): string {
  const consequence = CONSEQUENCES[concurrencyPolicy] ?? "";
  return `Run ${run} was still in progress when the next run was due at ${formatInstant(since)}${consequence}.`;
}

const CONSEQUENCES: Readonly<Record<string, string>> = {
  Allow: "; both run at the same time (concurrencyPolicy Allow)",
  Forbid: "; runs are skipped until it ends (concurrencyPolicy Forbid)",
  Replace: "; the next run replaces it (concurrencyPolicy Replace)",
};
