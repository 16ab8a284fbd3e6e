import * as v from "valibot";
import { count, maybe, text } from "../../explain/answer-parts.ts";
import { count as counted } from "../../job/text/sentence.ts";
import type { CronRunsAnswer } from "../../query/cron-jobs/cron-runs.ts";
import type { CronRunAnswer, MissedRun } from "../../query/cron-jobs/cron-run.ts";
import { describeFinding, timesEntries, timesOf } from "./describe.ts";
import { marked, untrusted } from "./marked.ts";
import { joined } from "./sentence.ts";
import { linkTo, presentSubject, type Subject, subjectEntries, subjectText } from "./subject.ts";

export const cronRunSchema = v.object({
  ...subjectEntries,
  state: text,
  reason: maybe(text),
  scheduledAt: maybe(text),
  ...timesEntries,
});

export const missedSchema = v.object({ dueAt: text, cause: text });

export const scheduleSchema = v.object({
  suspended: v.boolean(),
  lastScheduledAt: maybe(text),
  lastSuccessfulAt: maybe(text),
  concurrencyPolicy: maybe(text),
  runs: count,
  failed: count,
  missed: count,
  unobserved: v.pipe(count, v.description("Due times of which it is unknown whether there was a run.")),
  ...untrusted,
});

/** The answer about a CronJob: its findings, and its runs of the last 30 days, newest first. */
export function cronJobAnswer(subject: Subject, answer: CronRunsAnswer, page: string | undefined) {
  const { cronJob, runs, missed, findings, until } = answer;
  const head = {
    sentence: cronSentence(subject, answer),
    asOf: until,
    gaps: [],
    evidence: [],
    ...linkTo(page, subject),
    ...presentSubject({ ...subject, uid: cronJob?.uid }),
    state: cronState(answer),
    final: cronJob?.deletedAt !== undefined,
    schedule: scheduleOf(answer),
  };
  const lists = {
    findings: findings.map((finding) => describeFinding(finding)),
    missed: missed.map(describeMissed),
    runs: runs.map((run) => describeRun(subject, run)),
  };
  return { head, lists };
}

function scheduleOf({ cronJob, runs, missed, unobserved }: CronRunsAnswer) {
  const { suspend, lastScheduledAt, lastSuccessfulAt, concurrencyPolicy, schedule, timeZone } = cronJob ?? {};
  return {
    suspended: suspend === true,
    ...(lastScheduledAt !== undefined && { lastScheduledAt }),
    ...(lastSuccessfulAt !== undefined && { lastSuccessfulAt }),
    runs: runs.length,
    failed: failedOf(runs),
    missed: missed.length,
    unobserved: unobserved.length,
    ...marked({ concurrencyPolicy }, { schedule, timeZone }),
  };
}

function cronState({ cronJob, runs }: CronRunsAnswer): string {
  if (cronJob?.deletedAt !== undefined) return "Deleted";
  if (cronJob?.suspend === true) return "Suspended";
  return runs[0]?.state ?? "Unknown";
}

function cronSentence(subject: Subject, { cronJob, runs, missed, findings, until }: CronRunsAnswer): string {
  const [last] = runs;
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return joined([
    `${subjectText(subject, "CronJob")} had ${counted(runs.length, "run")} in the 30 days before ${until}`,
    `${failedOf(runs)} failed`,
    last && `the last one, created at ${last.createdAt}, is ${last.state}`,
    missed.length > 0 ? `${counted(missed.length, "due time")} without a run` : undefined,
    cronJob?.suspend === true ? "it is suspended" : undefined,
    cronJob?.deletedAt === undefined ? undefined : `it was deleted at ${cronJob.deletedAt}`,
    kinds.length > 0 ? `findings: ${kinds.join(", ")}` : undefined,
  ]);
}

function failedOf(runs: readonly CronRunAnswer[]): number {
  return runs.filter(({ state }) => state === "Failed").length;
}

function describeMissed({ dueAt, cause }: MissedRun) {
  return { dueAt, cause };
}

function describeRun({ cluster, namespace }: Subject, run: CronRunAnswer) {
  const { name, uid, state, reason, scheduledAt } = run;
  return {
    ...presentSubject({ cluster, namespace, kind: "job", name, uid }, {}, { reason }),
    state,
    ...(scheduledAt !== undefined && { scheduledAt }),
    ...timesOf(run),
  };
}
