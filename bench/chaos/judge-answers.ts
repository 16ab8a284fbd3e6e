import { SILENT_AFTER_MILLIS } from "../../src/job/status/silence.ts";
import { type Counts, countsAt, type TrueJob } from "./truth.ts";
import type { Rule, Violation } from "./violation.ts";

/** An answer about a Job, reduced to what is judged. */
export interface Told {
  readonly cluster: string;
  readonly uid: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Whether the answer was about this Job, or a row of a list. A row may be older than the Job's own answer. */
  readonly source: "job" | "list";
  /** Absent: the API did not know the Job. */
  readonly said?: Said;
}

export interface Said {
  readonly counts: Counts;
  readonly state: string;
  readonly isFinal: boolean;
  readonly isDeleted: boolean;
  readonly isStale: boolean;
  readonly heardAt?: string;
}

export interface JudgedBy {
  readonly truth: ReadonlyMap<string, TrueJob>;
  /** How long before an instant the tracker may have heard the cluster last; `undefined` where it is not known. */
  readonly silence: (cluster: string, at: number) => number | undefined;
}

/** How much later than an answer the same change may be observed here. */
const TOLERANCE_MILLIS = 5000;
/** A heartbeat comes every minute. */
const HEARTBEAT_MILLIS = 60_000;

/** The violations of all answers, judged after the run. */
export function judgeAnswers(told: readonly Told[], by: JudgedBy): readonly Violation[] {
  const ofJobs = Map.groupBy(told, ({ cluster, uid, source }) => `${cluster} ${uid} ${source}`);
  return [...ofJobs.values()].flatMap((answers) => [
    ...answers.flatMap((answer) => judgeOne(answer, by)),
    ...judgeSequence(answers, by),
  ]);
}

function judgeOne(answer: Told, by: JudgedBy): readonly Violation[] {
  const { cluster, uid, said, answeredAt } = answer;
  const job = by.truth.get(uid);
  if (said === undefined) return [];
  const subject = `${cluster} ${job?.name ?? uid}`;
  if (job === undefined) return [{ rule: "a count is never above the truth", subject, detail: "no such Job existed" }];
  return [
    ...countsAbove(job, said, answeredAt),
    ...untrueEnd(job, said, answeredAt),
    ...unmarked(said, by.silence(cluster, answer.askedAt) ?? 0),
  ].map(([rule, detail]) => ({ rule, subject, detail: `${detail} at ${iso(answeredAt)}` }));
}

type Broken = readonly (readonly [Rule, string])[];

function countsAbove(job: TrueJob, { counts }: Said, answeredAt: number): Broken {
  const right = countsAt(job, answeredAt + TOLERANCE_MILLIS);
  return NAMES.filter((name) => counts[name] > right[name]).map((name) => [
    "a count is never above the truth",
    `${name} ${counts[name]}, in truth ${right[name]}`,
  ]);
}

function untrueEnd(job: TrueJob, said: Said, answeredAt: number): Broken {
  if (!said.isFinal || isTrueEnd(job, said, answeredAt)) return [];
  return [["a final verdict is true", `${said.state}, in truth ${job.ended?.state ?? "not ended"}`]];
}

function unmarked(said: Said, silentMillis: number): Broken {
  if (said.isStale) return said.heardAt === undefined ? [["a stale answer is marked", "without heardAt"]] : [];
  if (!mayChange(said) || silentMillis <= SILENT_AFTER_MILLIS + HEARTBEAT_MILLIS) return [];
  return [["a stale answer is marked", `not stale, ${Math.round(silentMillis / 1000)} s after the last data`]];
}

const NAMES = ["seen", "succeeded", "failed", "statusSucceeded", "statusFailed"] as const;

function mayChange({ isFinal, isDeleted }: Said): boolean {
  return !isFinal && !isDeleted;
}

function isTrueEnd({ ended }: TrueJob, { state }: Said, answeredAt: number): boolean {
  return ended?.state === state && ended.at <= answeredAt + TOLERANCE_MILLIS;
}

/** Each answer is compared with those that had arrived before its question was asked. */
function judgeSequence(answers: readonly Told[], { truth }: JudgedBy): readonly Violation[] {
  const violations: Violation[] = [];
  const byEnd = answers.toSorted((a, b) => a.answeredAt - b.answeredAt);
  let settled: Said | undefined;
  let read = 0;
  for (const answer of answers.toSorted((a, b) => a.askedAt - b.askedAt)) {
    for (; (byEnd[read]?.answeredAt ?? Infinity) < answer.askedAt; read += 1) {
      settled = later(settled, byEnd[read]?.said);
    }
    if (settled === undefined) continue;
    const subject = `${answer.cluster} ${truth.get(answer.uid)?.name ?? answer.uid}`;
    for (const [rule, detail] of broken(settled, answer)) {
      violations.push({ rule, subject, detail: `${detail} at ${iso(answer.answeredAt)}` });
    }
  }
  return violations;
}

/** The most that earlier answers had said. */
function later(before: Said | undefined, said: Said | undefined): Said | undefined {
  if (before === undefined || said === undefined) return before ?? said;
  const { seen, succeeded, failed } = before.counts;
  const counts = {
    ...said.counts,
    seen: Math.max(seen, said.counts.seen),
    succeeded: Math.max(succeeded, said.counts.succeeded),
    failed: Math.max(failed, said.counts.failed),
  };
  return { ...(before.isFinal ? before : said), counts };
}

function broken(before: Said, { said }: Told): Broken {
  if (said === undefined) return [["an answered Job is never forgotten", "not found"]];
  const fallen = (["seen", "succeeded", "failed"] as const).filter((name) => said.counts[name] < before.counts[name]);
  const isReverted = before.isFinal && (!said.isFinal || said.state !== before.state);
  return [
    ...fallen.map((name): readonly [Rule, string] => [
      "a count never falls",
      `${name} ${said.counts[name]} after ${before.counts[name]}`,
    ]),
    ...(isReverted ? [["a final verdict never reverts", `${said.state} after ${before.state}`] as const] : []),
  ];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
