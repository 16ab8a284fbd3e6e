import * as v from "valibot";
import { attemptSchema } from "../../explain/answer-document.ts";
import { explainJob, whySchema } from "../../query/job/explain-job.ts";
import type { ScopedReference, UnknownJob } from "../../query/job/find-job.ts";
import { getJob, oneJobSchema } from "../../query/job/get-job.ts";
import { historyEntrySchema, listJobHistory } from "../../query/job/job-history.ts";
import { indexStateSchema, listJobIndexes } from "../../query/job/job-indexes.ts";
import { listJobPods } from "../../query/job/job-pods.ts";
import { listJobPod } from "../../query/job/pod-in-detail.ts";
import type { AsOfRefusal } from "../../query/job/load-job-as-of.ts";
import { instantAt } from "../../query/list/given-time.ts";
import type { Paged } from "../../query/list/page.ts";
import { pageOf } from "../contract/components.ts";
import { nameParameter, secondsParameter, timeParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { defineRoute, type Reply } from "../contract/route.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";

const AS_OF_QUERY = {
  asOf: v.exactOptional(timeParameter("Answer with what was known of the Job at this time.")),
};

export const jobRoute = defineRoute({
  template: JOB_TEMPLATE,
  operationId: "getJob",
  summary: "Get a Job",
  path: JOB_PATH,
  query: { ...UID_QUERY, ...AS_OF_QUERY },
  answer: oneJobSchema,
  answerIs: "The Job.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, asOf }) => {
    const wanted = { ...path, uid };
    const found = await getJob(await ports(), { scope, wanted }, { asOf: instantAt(asOf, now), now });
    return found.outcome === "answered" ? { body: found.answer } : { problem: noAnswer(wanted, found) };
  },
});

export const whyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/why`,
  operationId: "explainJob",
  summary: "Explain the state of a Job, with evidence",
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    ...AS_OF_QUERY,
    phantomAfterSeconds: v.exactOptional(
      secondsParameter(
        "Report Pods as PhantomRunning if they have run for this many seconds without " +
          "a change. Off by default, because a long-running program looks the same.",
      ),
    ),
  },
  answer: whySchema,
  answerIs: "The explanation.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, asOf, phantomAfterSeconds }) => {
    const wanted = { ...path, uid };
    const phantomAfter = phantomAfterSeconds === undefined ? undefined : phantomAfterSeconds * 1_000;
    const times = { now, asOf: instantAt(asOf, now), phantomAfter };
    const explained = await explainJob(await ports(), { scope, wanted }, times);
    return explained.outcome === "explained" ? { body: explained.why } : { problem: noAnswer(wanted, explained) };
  },
});

const POD_QUERY = {
  podUid: v.exactOptional(nameParameter("Only the Pod with this uid.")),
};

export const podsRoute = defineRoute({
  template: `${JOB_TEMPLATE}/pods`,
  operationId: "listPods",
  summary: "List the attempts of a Job: one for each Pod, oldest first",
  path: JOB_PATH,
  query: { ...UID_QUERY, ...POD_QUERY, ...PAGE_QUERY },
  answer: pageOf(attemptSchema),
  answerIs: "One page of attempts.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, podUid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    const job = { scope, wanted };
    const page =
      podUid === undefined
        ? await listJobPods(await ports(), job, { limit, cursor })
        : await listJobPod(await ports(), job, { podUid, now });
    return replyAbout(wanted, page);
  },
});

export const historyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/history`,
  operationId: "listHistory",
  summary: "List the facts about a Job, its Pods and their Nodes, oldest first",
  path: JOB_PATH,
  query: { ...UID_QUERY, ...POD_QUERY, ...PAGE_QUERY },
  answer: pageOf(historyEntrySchema),
  answerIs: "One page of facts.",
  statuses: [404],
  handle: async ({ ports, scope }, path, { uid, limit = STANDARD_LIMIT, ...query }) => {
    const wanted = { ...path, uid };
    return replyAbout(wanted, await listJobHistory(await ports(), { scope, wanted }, { ...query, limit }));
  },
});

export const indexesRoute = defineRoute({
  template: `${JOB_TEMPLATE}/indexes`,
  operationId: "listIndexes",
  summary: "List the completion indexes of an Indexed Job, with their outcomes",
  path: JOB_PATH,
  query: { ...UID_QUERY, ...PAGE_QUERY },
  answer: pageOf(indexStateSchema),
  answerIs: "One page of indexes, in ascending order.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    return replyAbout(wanted, await listJobIndexes(await ports(), { scope, wanted }, { limit, cursor, now }));
  },
});

/** The reply with one page about a Job. */
function replyAbout(wanted: ScopedReference["wanted"], page: Paged<unknown> | UnknownJob): Reply {
  if (page.outcome === "listed" || page.outcome === "badCursor") return replyWithPage(page);
  return { problem: unknownJob(wanted, page) };
}

function noAnswer(wanted: ScopedReference["wanted"], refusal: AsOfRefusal | UnknownJob): Problem {
  switch (refusal.outcome) {
    case "notYet":
      return problem(
        "no-such-job",
        `Job ${JSON.stringify(wanted.name)} was not yet known at the time ` +
          `of asOf. Its first fact is from ${refusal.firstSeenAt}.`,
      );
    case "beforeLog":
      return badAsOf(`is before the log of this cluster begins (${refusal.logBeginsAt}): choose a later time`);
    case "inFuture":
      return badAsOf(`is in the future (now: ${refusal.now}): omit it to get the current state`);
    case "unknownCluster":
    case "unknownJob":
      return unknownJob(wanted, refusal);
  }
}

function badAsOf(detail: string): Problem {
  return problem("bad-parameter", `Parameter "asOf" (query) ${detail}.`, [{ in: "query", name: "asOf", detail }]);
}
