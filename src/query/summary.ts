import type { JobAnswer } from "../job/answer.ts";
import { type Instant, parseInstant } from "../job/instant.ts";
import { firstEnd } from "../job/outcome.ts";
import { endedAt, startedAt } from "../job/pod-end.ts";
import type { JobStore } from "../ports/jobs.ts";
import { readJob } from "../projection/read-job.ts";
import type { PlacedRow } from "./merged-rows.ts";
import { type JobFilter, matchesRow, type State } from "./job-filter.ts";
import { readRows } from "./list-jobs.ts";
import { needlessRuns } from "./needless-runs.ts";
import { type Percentiles, percentiles } from "./percentiles.ts";
import type { QueryPorts } from "./ports.ts";
import type { Scope } from "./scope.ts";
import { groupOf, type SummaryGrouping } from "./summary-group.ts";
import { readSummary } from "./summary-row.ts";

/** What many Jobs came to. */
export interface SummaryCounts {
  readonly jobs: number;
  readonly byState: Readonly<Partial<Record<State, number>>>;
  /** Complete of all that are Complete or Failed, 0 to 1; absent while none is. */
  readonly successRate?: number;
  /** Seconds from start to finish, of Jobs that have both. */
  readonly durationSeconds?: Percentiles;
  readonly pods: { readonly seen: number; readonly succeeded: number; readonly failed: number };
  /** Work that was done although it had been done. */
  readonly reRuns: ReRuns;
  /** How many Jobs have each kind of finding. */
  readonly findings: Readonly<Record<string, number>>;
  readonly attention: number;
}
export interface SummaryAnswer extends SummaryCounts {
  /** The same for each group, by key; at most {@link MAX_GROUPS}, those with the most Jobs. */
  readonly groups?: readonly SummaryGroup[];
  /** How many groups are not told of. */
  readonly groupsOmitted?: number;
  /** Set where there were more Jobs than one summary reads: it covers those created at or after `since`. */
  readonly partial?: { readonly since: string };
}
export interface SummaryGroup extends SummaryCounts {
  readonly key: string;
}
export interface ReRuns {
  readonly jobs: number;
  /** Pods that succeeded beyond what was asked for. */
  readonly pods: number;
  /** How long those Pods ran, in all, as far as the clocks tell. */
  readonly seconds: number;
}
/** The most Jobs that one summary reads, newest first. */
const MAX_SUMMARISED = 50_000;
/** Hours of forty days. */
export const MAX_GROUPS = 1_000;
const PAGE = 500;

export interface SummaryOptions {
  readonly by?: SummaryGrouping | undefined;
  /** @default 50,000 */
  readonly bound?: number;
}

/** Counts the Jobs that meet the filter, from what the lists know of them. */
export async function summariseJobs(
  ports: QueryPorts,
  scope: Scope,
  filter: JobFilter,
  { by, bound = MAX_SUMMARISED }: SummaryOptions = {},
): Promise<SummaryAnswer> {
  const whole = new Tally();
  const groups = new Map<string, Tally>();
  const ranAgain: { readonly row: PlacedRow; readonly tallies: readonly Tally[] }[] = [];
  let read = 0;
  let oldest: JobAnswer | undefined;
  let partial = false;
  for await (const row of readRows(ports, scope, filter, { pageSize: PAGE })) {
    partial = read === bound;
    if (partial) break;
    read += 1;
    const job = readSummary(row);
    oldest = job;
    if (!matchesRow(filter, row, job)) continue;
    const tallies = by === undefined ? [whole] : [whole, tallyOf(groups, groupOf(by, job))];
    for (const tally of tallies) tally.add(job, row.attention);
    if (needlessRuns(job) > 0 && ranAgain.length < MAX_TIMED) ranAgain.push({ row, tallies });
  }
  for (const { row, tallies } of ranAgain) {
    // One Job after the other: a summary must not hold the Pods of all of them.
    const seconds = await needlessSecondsOf(ports.jobs, row);
    for (const tally of tallies) tally.addWaste(seconds);
  }
  return {
    ...whole.answer(),
    ...(by !== undefined && groupsOf(groups)),
    ...(partial && oldest !== undefined && { partial: { since: oldest.createdAt } }),
  };
}

/** Rows do not say how long a Pod ran: that is read from the Pods of so many Jobs, and the time wasted is at least that. */
const MAX_TIMED = 500;

function tallyOf(groups: Map<string, Tally>, key: string): Tally {
  const known = groups.get(key) ?? new Tally();
  groups.set(key, known);
  return known;
}

function groupsOf(groups: ReadonlyMap<string, Tally>): Pick<SummaryAnswer, "groups" | "groupsOmitted"> {
  const largest = [...groups].sort(([, a], [, b]) => b.jobs - a.jobs).slice(0, MAX_GROUPS);
  const omitted = groups.size - largest.length;
  return {
    groups: sortedByName(new Map(largest)).map(([key, tally]) => ({ key, ...tally.answer() })),
    ...(omitted > 0 && { groupsOmitted: omitted }),
  };
}

/** The run times of the Pods that succeeded when the completions were already there. */
async function needlessSecondsOf(jobs: JobStore, row: PlacedRow): Promise<number> {
  const view = await readJob(jobs, row);
  if (view === undefined) return 0;
  const runs: { readonly end: Instant; readonly seconds: number }[] = [];
  for await (const pod of view.pods()) {
    const [start, end] = [startedAt(pod), endedAt(pod)];
    if (pod.succeeded === undefined || firstEnd(pod) !== pod.succeeded) continue;
    if (start !== undefined && end !== undefined) runs.push({ end, seconds: Math.max(0, end - start) / 1_000 });
  }
  const needed = readSummary(row).spec.completions ?? runs.length;
  return runs
    .sort((a, b) => a.end - b.end)
    .slice(needed)
    .reduce((sum, run) => sum + run.seconds, 0);
}

class Tally {
  #jobs = 0;
  #attention = 0;
  #pods = { seen: 0, succeeded: 0, failed: 0 };
  #reRuns = { jobs: 0, pods: 0 };
  readonly #byState = new Map<State, number>();
  readonly #findings = new Map<string, number>();
  readonly #durations: number[] = [];
  #needlessSeconds = 0;

  get jobs(): number {
    return this.#jobs;
  }

  add(job: JobAnswer, attention: boolean): void {
    this.#jobs += 1;
    if (attention) this.#attention += 1;
    increment(this.#byState, job.verdict.state);
    for (const kind of new Set(job.findings.map((finding) => finding.kind))) increment(this.#findings, kind);
    this.#pods = {
      seen: this.#pods.seen + job.pods.seen,
      succeeded: this.#pods.succeeded + job.pods.succeeded,
      failed: this.#pods.failed + job.pods.failed,
    };
    const again = needlessRuns(job);
    if (again > 0) this.#reRuns = { jobs: this.#reRuns.jobs + 1, pods: this.#reRuns.pods + again };
    const seconds = durationOf(job);
    if (seconds !== undefined) this.#durations.push(seconds);
  }

  addWaste(seconds: number): void {
    this.#needlessSeconds += seconds;
  }

  answer(): SummaryCounts {
    const complete = this.#byState.get("Complete") ?? 0;
    const ended = complete + (this.#byState.get("Failed") ?? 0);
    return {
      jobs: this.#jobs,
      byState: Object.fromEntries(sortedByName(this.#byState)),
      ...(ended > 0 && { successRate: complete / ended }),
      ...(this.#durations.length > 0 && { durationSeconds: percentiles(this.#durations) }),
      pods: this.#pods,
      reRuns: { ...this.#reRuns, seconds: this.#needlessSeconds },
      findings: Object.fromEntries(sortedByName(this.#findings)),
      attention: this.#attention,
    };
  }
}

function durationOf({ startedAt, finishedAt }: JobAnswer): number | undefined {
  const start = parseInstant(startedAt);
  const finish = parseInstant(finishedAt);
  return start === undefined || finish === undefined || finish < start ? undefined : (finish - start) / 1_000;
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sortedByName<Key extends string, Value>(counts: ReadonlyMap<Key, Value>): readonly (readonly [Key, Value])[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
