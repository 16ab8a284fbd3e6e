import * as v from "valibot";
import {
  type JobList,
  type JobListPart,
  listJobs,
  listJobsInParts,
  MAX_LIST_LIMIT,
} from "../../query/list/list-jobs.ts";
import { JOB_FILTER_QUERY, readJobFilter } from "./job-filter-query.ts";
import { withExpectations } from "../../query/job/expected-in-list.ts";
import { withRunFound } from "../../query/runs/with-run-found.ts";
import { listSortedJobs, type SortedJobs, sortedSchema } from "../../query/list/list-sorted-jobs.ts";
import { problem } from "../contract/problem.ts";
import { jobAnswerSchema } from "../../explain/answer-document.ts";
import { replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";
import { cursorParameter, flagParameter, limitParameter, sortParameter } from "../contract/parameters.ts";
import { pageOf } from "../contract/components.ts";
import { defineRoute, type Reply } from "../contract/route.ts";
import { type ListPart, listText, startingWith } from "../streams/list-text.ts";

export const jobsRoute = defineRoute({
  template: "/v1/jobs",
  operationId: "listJobs",
  summary: "List the Jobs that match all filters, without evidence",
  path: {},
  query: {
    ...JOB_FILTER_QUERY,
    sort: v.exactOptional(sortParameter),
    limit: v.exactOptional(limitParameter(MAX_LIST_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
    expected: v.exactOptional(
      flagParameter("`true`: Jobs in progress that belong to a series have `expected` or `noExpectation`."),
    ),
    usage: v.exactOptional(flagParameter("`true`: Jobs that are over have `usage`, what their Pods reserved.")),
  },
  answer: v.object({ ...pageOf(jobAnswerSchema).entries, sorted: v.exactOptional(sortedSchema) }),
  answerIs: "One page of Jobs.",
  statuses: [],
  handle: async (context, _path, { limit = STANDARD_LIMIT, cursor, sort, usage, expected, ...query }) => {
    const { ports, scope, now, live } = context;
    const read = readJobFilter(query, now);
    if (read.outcome === "refused") return { problem: read.problem };
    const { written } = read;
    const stores = await ports();
    const filter = await withRunFound(stores, scope, read.filter);
    const same = { filter, written, limit, cursor, now, usage };
    const finish = async <Page extends JobList | SortedJobs>(listed: Page): Promise<Page> =>
      expected !== true || listed.outcome !== "listed"
        ? listed
        : { ...listed, items: await withExpectations(stores, listed.items, now) };
    if (typeof sort === "object") {
      return replyWithSorted(await finish(await listSortedJobs(stores, scope, { ...same, sort })));
    }
    const page = { ...same, order: sort };
    if (live === undefined) return replyWithPage(await finish(await listJobs(stores, scope, page)));
    const next = listJobsInParts(stores, scope, page);
    return replyInParts(async () => finish(await next()));
  },
});

/** Like {@link replyWithPage}, but streamed while it is read. */
async function replyInParts(next: () => Promise<JobListPart>): Promise<Reply> {
  const first = await next();
  if (first.outcome === "badCursor") return replyWithPage(first);
  const nextPart = startingWith<JobListPart>(first, next);
  return { parts: listText('{"items":[', async () => listPart(await nextPart())) };
}

function listPart(part: JobListPart): ListPart {
  if (part.outcome === "badCursor") throw new Error(`Cannot continue the list: ${part.problem}`);
  const { items, nextCursor, isLast } = part;
  if (!isLast) return { items };
  return { items, end: nextCursor === undefined ? "]}" : `],"nextCursor":${JSON.stringify(nextCursor)}}` };
}

function replyWithSorted(page: SortedJobs): Reply {
  if (page.outcome === "badCursor") return { problem: problem("bad-cursor", page.problem) };
  const { items, nextCursor, sorted } = page;
  return { body: { items, nextCursor, sorted } };
}
