import * as v from "valibot";
import { jobAnswerSchema } from "../../explain/answer-document.ts";
import { maybe, text } from "../../explain/answer-parts.ts";
import { runAnswerEntries, runAnswerSchema } from "../../explain/run/run-document.ts";
import { historyOf, runEventSchema } from "../../query/runs/run-history.ts";
import { settledBy, waitFor } from "../../query/job/wait-for-job.ts";
import { MAX_LIST_LIMIT } from "../../query/list/list-jobs.ts";
import { pageOfItems } from "../../query/list/page.ts";
import { explainStoredRun, runWhySchema } from "../../query/runs/explain-run.ts";
import { findRun } from "../../query/runs/find-run.ts";
import { getRun, pollRun } from "../../query/runs/get-run.ts";
import { listRuns } from "../../query/runs/list-runs.ts";
import { listRunJobs } from "../../query/runs/run-jobs.ts";
import { pageOf } from "../contract/components.ts";
import {
  clusterParameter,
  cursorParameter,
  externalIdParameter,
  flagParameter,
  goalParameter,
  labelSelectorParameter,
  limitParameter,
  nameParameter,
  runKindParameter,
  runStatesParameter,
  textParameter,
  timeParameter,
  waitSecondsParameter,
} from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";
import { MAX_WAIT_SECONDS } from "../streams/long-poll.ts";
import { emptyRangeProblem, timesOf } from "./job-filter-query.ts";
import { RUN_PATH, RUN_TEMPLATE, RUN_UID_QUERY, unknownRun } from "./run-path.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";
import { pauseUntil } from "./wait-route.ts";

export const runsRoute = defineRoute({
  template: "/v1/runs",
  operationId: "listRuns",
  summary: "List the runs that match all filters: what was submitted once, with its attempts and Jobs",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    namespace: v.exactOptional(nameParameter("Only runs in this namespace. Defaults to all namespaces.")),
    kind: v.exactOptional(runKindParameter),
    name: v.exactOptional(nameParameter("Only runs with exactly this name.")),
    state: v.exactOptional(runStatesParameter),
    series: v.exactOptional(textParameter("Only runs of this series: its name, `Kind/name`, or uid.")),
    externalId: v.exactOptional(externalIdParameter),
    labelSelector: v.exactOptional(labelSelectorParameter),
    createdAfter: v.exactOptional(timeParameter("Only runs created after this time.")),
    createdBefore: v.exactOptional(timeParameter("Only runs created before this time.")),
    finishedAfter: v.exactOptional(timeParameter("Only runs finished after this time.")),
    finishedBefore: v.exactOptional(timeParameter("Only runs finished before this time.")),
    attention: v.exactOptional(flagParameter("`true`: only failed runs.")),
    limit: v.exactOptional(limitParameter(MAX_LIST_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: pageOf(runAnswerSchema),
  answerIs: "One page of runs, newest first.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { limit = STANDARD_LIMIT, cursor, ...given }) => {
    const { state, labelSelector, ...same } = given;
    const filter = { ...same, states: state, labels: labelSelector, ...timesOf(same, now) };
    const empty = emptyRangeProblem(filter, "run");
    if (empty !== undefined) return { problem: empty };
    return replyWithPage(await listRuns(await ports(), scope, { filter, written: given, limit, cursor, now }));
  },
});

export const runRoute = defineRoute({
  template: RUN_TEMPLATE,
  operationId: "getRun",
  summary: "Get a run",
  path: RUN_PATH,
  query: RUN_UID_QUERY,
  answer: v.object({
    ...runAnswerEntries,
    otherUids: maybe(v.pipe(v.array(text), v.description("Other runs that had this name, newest first."))),
  }),
  answerIs: "The run.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid }) => {
    const wanted = { ...path, uid };
    const found = await getRun(await ports(), { scope, wanted }, now);
    if (found.outcome !== "answered") return { problem: unknownRun(wanted, found) };
    const { answer, others } = found;
    return { body: { ...answer, ...(others.length > 0 && { otherUids: others }) } };
  },
});

export const runWhyRoute = defineRoute({
  template: `${RUN_TEMPLATE}/why`,
  operationId: "explainRun",
  summary: "Explain the state of a run, with evidence",
  path: RUN_PATH,
  query: RUN_UID_QUERY,
  answer: runWhySchema,
  answerIs: "The explanation.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid }) => {
    const wanted = { ...path, uid };
    const explained = await explainStoredRun(await ports(), { scope, wanted }, now);
    return explained.outcome === "explained" ? { body: explained.why } : { problem: unknownRun(wanted, explained) };
  },
});

export const runJobsRoute = defineRoute({
  template: `${RUN_TEMPLATE}/jobs`,
  operationId: "listRunJobs",
  summary: "List the Jobs of a run, of all its attempts, oldest first",
  path: RUN_PATH,
  query: { ...RUN_UID_QUERY, ...PAGE_QUERY },
  answer: pageOf(jobAnswerSchema),
  answerIs: "One page of Jobs.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    const page = await listRunJobs(await ports(), { scope, wanted }, { limit, cursor, now });
    if (page.outcome === "listed" || page.outcome === "badCursor") return replyWithPage(page);
    return { problem: unknownRun(wanted, page) };
  },
});

export const runHistoryRoute = defineRoute({
  template: `${RUN_TEMPLATE}/history`,
  operationId: "listRunHistory",
  summary: "List what happened in a run, oldest first",
  path: RUN_PATH,
  query: { ...RUN_UID_QUERY, ...PAGE_QUERY },
  answer: pageOf(runEventSchema),
  answerIs: "One page of events.",
  statuses: [404],
  handle: async ({ ports, scope }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    const found = await findRun(await ports(), { scope, wanted });
    if (found.outcome !== "found") return { problem: unknownRun(wanted, found) };
    const items = historyOf(found.record).map((event, index) => ({ event, index }));
    const question = { history: found.record.uid };
    const page = pageOfItems({ items, question, placeOf: ({ index }) => [index] }, { limit, cursor });
    return replyWithPage(page.outcome === "listed" ? { ...page, items: page.items.map(({ event }) => event) } : page);
  },
});

export const runWaitRoute = defineRoute({
  template: `${RUN_TEMPLATE}/wait`,
  operationId: "waitForRun",
  summary: `Wait until a run meets a goal or no longer can, for at most ${MAX_WAIT_SECONDS} seconds`,
  path: RUN_PATH,
  query: {
    ...RUN_UID_QUERY,
    for: v.exactOptional(goalParameter),
    timeoutSeconds: v.exactOptional(waitSecondsParameter(MAX_WAIT_SECONDS, MAX_WAIT_SECONDS)),
  },
  answer: v.object({ outcome: v.picklist(["met", "endedOtherwise", "timedOut"]), run: runAnswerSchema }),
  answerIs: "The outcome of the wait, and the current state of the run. After `timedOut`, call again.",
  statuses: [404],
  handle: async (context, path, { uid, for: goal = "finished", timeoutSeconds = MAX_WAIT_SECONDS }) => {
    const wanted = { ...path, uid };
    const asked = { scope: context.scope, wanted };
    const read = async () => pollRun(await context.ports(), asked, context.clock());
    const { outcome, answer: run } = await waitFor(goal, { read, pause: pauseUntil(context, timeoutSeconds) });
    if (run !== undefined) return { body: { outcome, run } };
    const last = await getRun(await context.ports(), asked, context.clock());
    if (last.outcome !== "answered") return { problem: unknownRun(wanted, last) };
    return { body: { outcome: settledBy(goal, last.answer) ?? outcome, run: last.answer } };
  },
});
