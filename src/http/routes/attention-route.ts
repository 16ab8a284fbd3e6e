import * as v from "valibot";
import { DAY_MILLIS } from "../../job/model/instant.ts";
import { attentionSchema } from "../../query/attention/attention.ts";
import { readAttention } from "../../query/attention/read-attention.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { cursorParameter, limitParameter, timeParameter } from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";
import { JOB_FILTER_QUERY } from "./job-filter-query.ts";

const { cluster, namespace, labelSelector } = JOB_FILTER_QUERY;

/** The most entries of a page, and the default. */
const MAX_ENTRIES = 200;
const STANDARD_DAYS = 7;

export const attentionRoute = defineRoute({
  template: "/v1/attention",
  operationId: "listAttention",
  summary: "List what needs attention: Jobs with findings by series or run, and CronJobs with findings",
  path: {},
  query: {
    cluster,
    namespace,
    labelSelector,
    since: v.exactOptional(
      timeParameter(
        "Only entries that a Job came into at this time or later, and all that are at risk. " +
          `Defaults to ${STANDARD_DAYS} days ago.`,
      ),
    ),
    limit: v.exactOptional(limitParameter(MAX_ENTRIES, MAX_ENTRIES)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: attentionSchema,
  answerIs: "One page of entries.",
  statuses: [],
  handle: async (
    { ports, scope, now },
    _path,
    { limit = MAX_ENTRIES, labelSelector: labels, since: given, ...same },
  ) => {
    const since = instantAt(given, now) ?? now - STANDARD_DAYS * DAY_MILLIS;
    const query = { ...same, labels, limit, since, written: given ?? null, now };
    const { page, found } = await readAttention(await ports(), scope, query);
    if (page.outcome === "badCursor") return { problem: problem("bad-cursor", page.problem) };
    return { body: { ...found, items: page.items, nextCursor: page.nextCursor } };
  },
});
