import { maybe } from "../../../explain/answer-parts.ts";
import * as v from "valibot";
import { type Answer, answerEntries } from "../answer.ts";
import {
  causeEntry,
  describeCause,
  findingSchema,
  subjectAnswerEntries,
  timesEntries,
  timesOf,
  waitingEntry,
} from "../describe.ts";
import { cronJobAnswer, cronRunSchema, missedSchema, scheduleSchema } from "../describe-cron-job.ts";
import { explain, explanationEntries } from "../explain.ts";
import { type JobOrRun, readSubject } from "../read-subject.ts";
import { cursorArgument, defineTool, placeIn, targetArguments, type ToolContext } from "../tool.ts";

export const why = defineTool({
  name: "why",
  title: "Why did it end or fail?",
  description:
    "Explain the state of a Kubernetes Job, run or CronJob: why it failed, was deleted, restarted, ran twice or " +
    "looks stuck, who has to act, whether a retry helps, and the facts that prove it. Answers also when the Pods and " +
    "the Job are gone. If it has not started, use `why_not_running`.",
  input: { ...targetArguments, ...cursorArgument },
  output: {
    ...answerEntries,
    ...subjectAnswerEntries,
    ...timesEntries,
    ...causeEntry,
    ...waitingEntry,
    ...explanationEntries,
    schedule: maybe(scheduleSchema),
    findings: maybe(v.array(findingSchema)),
    missed: maybe(v.array(missedSchema)),
    runs: maybe(v.array(cronRunSchema)),
  },
  answer: async (context, { cursor, ...given }): Promise<Answer> => {
    const question = { why: given };
    const [sent = 0] = placeIn(question, cursor);
    const found = await readSubject(context, given);
    const same = { question, sent: Number(sent) };
    if (found.type === "cronjob") return { ...same, ...cronJobAnswer(found.subject, found.answer, context.page) };
    return { ...same, ...(await explained(context, found)) };
  },
});

async function explained(context: ToolContext, found: JobOrRun) {
  const { head, lists } = await explain(context, found);
  const { answer } = found;
  const { cause } = answer;
  return { head: { ...head, ...timesOf(answer), ...(cause && { cause: describeCause(cause) }) }, lists };
}
