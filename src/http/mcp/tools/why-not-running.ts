import * as v from "valibot";
import type { QueueAnswer } from "../../../explain/answer-document.ts";
import { maybe, text } from "../../../explain/answer-parts.ts";
import type { RunAnswer } from "../../../explain/run/run-document.ts";
import { count } from "../../../job/text/sentence.ts";
import type { OneJob } from "../../../query/job/get-job.ts";
import { runPath } from "../../contract/api-paths.ts";
import { type Answer, answerEntries } from "../answer.ts";
import { describeQueue, findingSchema, isRun, queueSchema, subjectAnswerEntries, waitingEntry } from "../describe.ts";
import { cronJobAnswer, cronRunSchema, missedSchema, scheduleSchema } from "../describe-cron-job.ts";
import { explain, explanationEntries } from "../explain.ts";
import { marked, plain, untrusted } from "../marked.ts";
import { type JobOrRun, readSubject } from "../read-subject.ts";
import { joined, stateText } from "../sentence.ts";
import { subjectText } from "../subject.ts";
import { cursorArgument, defineTool, placeIn, targetArguments, type ToolContext } from "../tool.ts";

export const whyNotRunning = defineTool({
  name: "why_not_running",
  title: "Why is it not running?",
  description:
    "Explain why a Kubernetes Job, run or CronJob has not started or makes no progress: unschedulable Pods, quota, " +
    "images, suspension, its Kueue queue with waits, evictions and preemptions, or due times without a run; and " +
    "since when. If it has ended, use `why`.",
  input: { ...targetArguments, ...cursorArgument },
  output: {
    ...answerEntries,
    ...subjectAnswerEntries,
    ...waitingEntry,
    ...explanationEntries,
    queue: maybe(queueSchema),
    waits: maybe(v.array(v.object({ from: text, to: maybe(text), reason: maybe(text), ...untrusted }))),
    evictions: maybe(
      v.array(v.object({ at: text, reason: maybe(text), by: maybe(text), byUid: maybe(text), ...untrusted })),
    ),
    schedule: maybe(scheduleSchema),
    findings: maybe(v.array(findingSchema)),
    missed: maybe(v.array(missedSchema)),
    runs: maybe(v.array(cronRunSchema)),
  },
  answer: async (context, { cursor, ...given }): Promise<Answer> => {
    const question = { whyNotRunning: given };
    const [sent = 0] = placeIn(question, cursor);
    const found = await readSubject(context, given);
    const same = { question, sent: Number(sent) };
    if (found.type === "cronjob") return { ...same, ...cronJobAnswer(found.subject, found.answer, context.page) };
    return { ...same, ...(await waitingAnswer(context, found)) };
  },
});

async function waitingAnswer(context: ToolContext, found: JobOrRun) {
  const queue = found.answer.queue ?? (found.type === "job" ? await queueOfRun(context, found.answer) : undefined);
  const { head, lists } = await explain(context, found, waitingSentence(found, queue));
  return {
    head: { ...head, ...(queue && { queue: describeQueue(queue) }) },
    lists: { ...queueLists(queue), ...lists },
  };
}

/** The Jobs of a JobSet have no queue: Kueue admits the JobSet. */
async function queueOfRun({ ask }: ToolContext, { cluster, namespace, run }: OneJob): Promise<QueueAnswer | undefined> {
  if (run.kind === "Job") return undefined;
  const reply = await ask(runPath({ cluster, namespace, kind: run.kind, name: run.name }));
  return reply.outcome === "answered" ? (reply.answer as RunAnswer).queue : undefined;
}

function waitingSentence({ subject, answer }: JobOrRun, queue: QueueAnswer | undefined): string {
  const { waiting, verdict } = answer;
  const who = subjectText({ ...subject, kind: isRun(answer) ? answer.kind : "Job" });
  const isOver = verdict.final || verdict.state === "Deleted";
  return joined([
    `${who} ${stateText(verdict)}`,
    waiting && `${waitersText(waiting.podCount)} since ${waiting.since}: ${waiting.reason}`,
    queue && queueText(queue),
    waiting === undefined && !isWaitingIn(queue)
      ? isOver
        ? "it waits for nothing: use why"
        : "nothing that it waits for is known"
      : undefined,
  ]);
}

function waitersText(pods: number): string {
  if (pods === 0) return "it waits";
  return `${count(pods, "Pod")} ${pods === 1 ? "waits" : "wait"}`;
}

function isWaitingIn(queue: QueueAnswer | undefined): boolean {
  return queue?.waits.at(-1) !== undefined && queue.waits.at(-1)?.to === undefined;
}

function queueText({ name, waits, evictions, admittedAt }: QueueAnswer): string {
  const open = waits.at(-1);
  const [evicted, admitted] = [evictions.at(-1), admittedAt.at(-1)];
  const where = plain(name) === undefined ? "its queue" : `queue ${name}`;
  return [
    open !== undefined && open.to === undefined
      ? `waits in ${where} since ${open.from}${wordOf(open.reason)}`
      : `admitted by ${where}${admitted === undefined ? "" : ` at ${admitted}`}`,
    ...(evicted === undefined
      ? []
      : [`${count(evictions.length, "eviction")}, the last at ${evicted.at}${wordOf(evicted.reason)}`]),
  ].join(", ");
}

function wordOf(reason: string): string {
  return plain(reason) === undefined ? "" : ` (${reason})`;
}

function queueLists(queue: QueueAnswer | undefined) {
  return {
    waits: (queue?.waits ?? []).map(({ from, to, reason, message }) => ({
      from,
      ...(to !== undefined && { to }),
      ...marked({ reason }, { message }),
    })),
    evictions: (queue?.evictions ?? []).map(({ at, reason, by }) => ({
      at,
      ...marked({ reason, by: by && preemptor(by), byUid: by?.uid }),
    })),
  };
}

function preemptor({ kind, namespace, name }: NonNullable<QueueAnswer["evictions"][number]["by"]>): string | undefined {
  return namespace === undefined || name === undefined ? kind : `${kind}/${namespace}/${name}`;
}
