import * as v from "valibot";
import type { Attempt } from "../../../explain/answer-document.ts";
import { count, maybe, text } from "../../../explain/answer-parts.ts";
import type { RunAnswer } from "../../../explain/run/run-document.ts";
import type { OneJob } from "../../../query/job/get-job.ts";
import { type Answer, answerEntries } from "../answer.ts";
import { type Page, read } from "../ask.ts";
import {
  attemptSchema,
  belongsTo,
  causeEntry,
  describeAttempt,
  describeCause,
  describeFinding,
  describePod,
  describeQueue,
  describeWaiting,
  findingSchema,
  headOf,
  podSchema,
  queueSchema,
  runJobSchema,
  runJobs,
  someOf,
  subjectOf,
  subjectAnswerEntries,
  timesEntries,
  timesOf,
  waitingEntry,
} from "../describe.ts";
import { cronJobAnswer, cronRunSchema, missedSchema, scheduleSchema } from "../describe-cron-job.ts";
import { partOf, readSubject } from "../read-subject.ts";
import { cursorArgument, defineTool, pageAt, pagedBy, placeIn, targetArguments, type ToolContext } from "../tool.ts";

const PODS = 100;

export const getRun = defineTool({
  name: "get_run",
  title: "Get a Job or run",
  description:
    "Get the state of one Kubernetes Job, run (JobSet, RayJob, Workflow, ...) or CronJob, also if it and its Pods " +
    "were deleted: times, counts, cause of failure, findings, and each Pod with its exit code, node and who deleted " +
    "it. Use `why` for the reasons with evidence.",
  input: { ...targetArguments, ...cursorArgument },
  output: {
    ...answerEntries,
    ...subjectAnswerEntries,
    ...timesEntries,
    run: maybe(v.pipe(text, v.description("The run that the Job is part of, as a target."))),
    series: maybe(text),
    completions: maybe(count),
    parallelism: maybe(count),
    backoffLimit: maybe(count),
    podCounts: maybe(v.record(v.string(), count)),
    jobCounts: maybe(v.record(v.string(), v.union([count, v.boolean()]))),
    generations: maybe(v.pipe(count, v.description("The number of Jobs or runs that had this name."))),
    ...causeEntry,
    ...waitingEntry,
    queue: maybe(queueSchema),
    schedule: maybe(scheduleSchema),
    findings: maybe(v.array(findingSchema)),
    pods: maybe(v.array(podSchema)),
    attempts: maybe(v.array(attemptSchema)),
    jobs: maybe(v.array(runJobSchema)),
    missed: maybe(v.array(missedSchema)),
    runs: maybe(v.array(cronRunSchema)),
  },
  answer: async (context, { cursor, ...given }): Promise<Answer> => {
    const question = { get: given };
    const place = placeIn(question, cursor);
    const found = await readSubject(context, given);
    const same = { question, sent: Number(place[0]) };
    switch (found.type) {
      case "cronjob":
        return { ...same, ...cronJobAnswer(found.subject, found.answer, context.page) };
      case "run":
        return { ...same, ...runAnswer(found.answer, context.page) };
      case "job":
        return { ...same, ...(await jobAnswer(context, found.answer, pageAt(place))) };
    }
  },
});

function runAnswer(run: RunAnswer, page: string | undefined): Pick<Answer, "head" | "lists"> {
  const { cause, waiting, queue, labels, externalIds, jobs, attempts, findings } = run;
  const head = {
    ...headOf(run, page, { texts: { labels: someOf(labels), externalIds: someOf(externalIds) } }),
    ...timesOf(run),
    ...belongsTo({ ...run, run: { kind: "Job", name: run.name } }),
    jobCounts: jobs,
    ...(cause && { cause: describeCause(cause) }),
    ...(waiting && { waiting: describeWaiting(waiting) }),
    ...(queue && { queue: describeQueue(queue) }),
  };
  const lists = {
    findings: findings.map((finding) => describeFinding(finding)),
    attempts: attempts.map(describeAttempt),
    jobs: runJobs(run),
  };
  return { head, lists };
}

async function jobAnswer(
  { ask, page }: ToolContext,
  job: OneJob,
  podsCursor: string | undefined,
): Promise<Omit<Answer, "question">> {
  const { uid, findings } = job;
  const path = partOf(subjectOf(job), "/pods");
  const pods: Page<Attempt> = await read(ask, path, { uid, limit: PODS, cursor: podsCursor });
  return {
    head: jobDetails(job, page),
    lists: {
      findings: podsCursor === undefined ? findings.map((finding) => describeFinding(finding)) : [],
      pods: pods.items.map(describePod),
    },
    ...pagedBy(podsCursor, pods.nextCursor),
  };
}

function jobDetails(job: OneJob, page: string | undefined) {
  const { spec, pods, cause, waiting, queue, labels, externalIds, generations } = job;
  return {
    ...headOf(job, page, { texts: { labels: someOf(labels), externalIds: someOf(externalIds) } }),
    ...timesOf(job),
    ...belongsTo(job),
    ...(spec.completions !== undefined && { completions: spec.completions }),
    parallelism: spec.parallelism,
    backoffLimit: spec.backoffLimit,
    podCounts: pods,
    ...(generations !== undefined && { generations: generations.length }),
    ...(cause && { cause: describeCause(cause) }),
    ...(waiting && { waiting: describeWaiting(waiting) }),
    ...(queue && { queue: describeQueue(queue) }),
  };
}
