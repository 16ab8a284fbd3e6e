import * as v from "valibot";
import type { JobAnswer } from "../../../explain/answer-document.ts";
import { maybe, text } from "../../../explain/answer-parts.ts";
import type { RunAnswer } from "../../../explain/run/run-document.ts";
import type { FactKind } from "../../../job/model/fact.ts";
import { type Instant, parseInstant } from "../../../job/model/instant.ts";
import { count } from "../../../job/text/sentence.ts";
import type { HistoryEntry } from "../../../query/job/job-history.ts";
import type { OneJob } from "../../../query/job/get-job.ts";
import type { RunEvent } from "../../../query/runs/run-history.ts";
import { jobPath } from "../../contract/api-paths.ts";
import { type Answer, answerEntries, evidenceId } from "../answer.ts";
import { type Page, read } from "../ask.ts";
import { headOf, subjectAnswerEntries, subjectOf } from "../describe.ts";
import { markedText, plain, untrusted } from "../marked.ts";
import { partOf, readSubject } from "../read-subject.ts";
import { joined } from "../sentence.ts";
import { type Subject, subjectText } from "../subject.ts";
import { cursorArgument, defineTool, pageAt, pagedBy, placeIn, targetArguments, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

/** Facts of one page of a Job's history. */
const PAGE = 100;
/** A run's history has those of this many Jobs. */
const MOST_JOBS = 10;
/** Facts of one Job in the history of its run. */
const MOST_FACTS = 500;

export const timeline = defineTool({
  name: "timeline",
  title: "What happened, in order?",
  description:
    "List what happened to a Kubernetes Job and its Pods, or to a run and its Jobs, oldest first: each recorded fact " +
    "with its time and id, also of deleted objects. Use it for the order of events; `why` has the facts that decide.",
  input: {
    ...targetArguments,
    all: v.exactOptional(
      v.pipe(v.boolean(), v.description("true: also bookkeeping, such as each status that was reported.")),
    ),
    ...cursorArgument,
  },
  output: {
    ...answerEntries,
    ...subjectAnswerEntries,
    jobsLeftOut: maybe(
      v.pipe(v.number(), v.description("Jobs of the run whose facts are left out: ask for each of them.")),
    ),
    facts: v.pipe(
      v.array(v.object({ id: text, time: text, bound: maybe(v.literal("lower")), ...untrusted })),
      v.description("`KIND/RESOURCE_VERSION/OBJECT`. With `bound`, it may have become true later than `time`."),
    ),
  },
  answer: async (context, { cursor, all = false, ...given }): Promise<Answer> => {
    const question = { timeline: given, all };
    const place = placeIn(question, cursor);
    const found = await readSubject(context, given);
    const same = { question, sent: Number(place[0]) };
    switch (found.type) {
      case "cronjob":
        throw new ToolError(
          "A CronJob has no facts of its own. Call get_run for its runs, then timeline for one of them.",
        );
      case "run":
        return { ...same, ...(await runTimeline(context, found.answer, { all })) };
      case "job":
        return {
          ...same,
          ...(await jobTimeline(context, found.answer, { all, cursor: pageAt(place) })),
        };
    }
  },
});

async function jobTimeline(
  { ask, page }: ToolContext,
  job: OneJob,
  { all, cursor }: Wanted,
): Promise<Omit<Answer, "question">> {
  const subject = subjectOf(job);
  const listed = await read<Page<HistoryEntry>>(ask, partOf(subject, "/history"), {
    uid: job.uid,
    limit: PAGE,
    cursor,
  });
  const facts = (all ? listed.items : milestones(listed.items)).map(describeFact);
  const isPart = cursor !== undefined || listed.nextCursor !== undefined;
  return {
    head: { ...headOf(job, page, { sentence: sentenceOf(subject, "Job", { facts, isPart }) }), evidence: [] },
    lists: { facts },
    ...pagedBy(cursor, listed.nextCursor),
  };
}

/** What happened to the objects of a run, merged with the facts of its first Jobs. */
async function runTimeline({ ask, page }: ToolContext, run: RunAnswer, { all }: Wanted) {
  const subject = subjectOf(run);
  const own = await read<Page<RunEvent>>(ask, partOf(subject, "/history"), { uid: run.uid, limit: MOST_FACTS });
  const jobs = await read<Page<JobAnswer>>(ask, partOf(subject, "/jobs"), { uid: run.uid, limit: MOST_JOBS });
  const histories = await Promise.all(
    jobs.items.map((job) =>
      read<Page<HistoryEntry>>(ask, jobPath(job, "/history"), { uid: job.uid, limit: MOST_FACTS }),
    ),
  );
  const facts = [
    ...own.items.filter(({ kind }) => !kind.startsWith("Job")).map(describeEvent),
    ...histories.flatMap(({ items }) => (all ? items : milestones(items)).map(describeFact)),
  ].sort((a, b) => instantOf(a) - instantOf(b));
  const leftOut = run.jobs.total - jobs.items.length;
  const isPart = leftOut > 0 || histories.some(({ nextCursor }) => nextCursor !== undefined);
  return {
    head: {
      ...headOf(run, page, { sentence: sentenceOf(subject, run.kind, { facts, isPart }) }),
      evidence: [],
      ...(leftOut > 0 && { jobsLeftOut: leftOut }),
    },
    lists: { facts },
  };
}

function instantOf({ time }: { readonly time: string }): Instant {
  return parseInstant(time) ?? 0;
}

interface Wanted {
  readonly all: boolean;
  readonly cursor?: string | undefined;
}

/** What says how Outlive counts, or what its Pods show too. */
const BOOKKEEPING = new Set([
  "JobReported",
  "JobTracked",
  "JobUntracked",
  "PodReserved",
  "PodTracked",
  "PodUntracked",
] satisfies FactKind[] as string[]);

/** The facts without bookkeeping, and without observations of a Pod that show the same as the one before. */
function milestones(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const last = new Map<string, string | undefined>();
  return entries.filter(({ kind, object = "", detail }) => {
    if (kind !== "PodObserved") return !BOOKKEEPING.has(kind);
    const isNew = last.get(object) !== detail;
    last.set(object, detail);
    return isNew;
  });
}

interface Shown {
  readonly facts: readonly { readonly time: string }[];
  /** Whether there are others. */
  readonly isPart: boolean;
}

function sentenceOf(subject: Subject, kind: string, { facts, isPart }: Shown): string {
  const [first, last] = [facts[0], facts.at(-1)];
  const who = subjectText({ ...subject, kind });
  if (first === undefined || last === undefined) return joined([`No fact about ${who} is recorded`]);
  const number = `${isPart ? "More than " : ""}${count(facts.length, "fact")}`;
  return joined([`${number} about ${who}: these from ${first.time} to ${last.time}`]);
}

function describeFact({ kind, resourceVersion, object, time, bound, detail }: HistoryEntry) {
  return {
    id: evidenceId({ kind, resourceVersion, ...(object !== undefined && { object }) }),
    time,
    ...(bound !== undefined && { bound }),
    ...textOf(object, detail),
  };
}

/** With the object, if the id cannot have it. */
function textOf(object = "", detail = "") {
  if (plain(object) === undefined && object !== "") return markedText(`${object}: ${detail}`);
  return detail === "" ? {} : markedText(detail);
}

/** Events of a run follow from several facts: their time takes the place of a version. */
function describeEvent({ kind, object, time, detail }: RunEvent) {
  return {
    id: evidenceId({ kind, resourceVersion: time, object }),
    time,
    ...textOf(object, detail),
  };
}
