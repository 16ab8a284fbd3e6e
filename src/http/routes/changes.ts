import * as v from "valibot";
import { listChanges } from "../../query/changes/changes.ts";
import { ChangeEvents, type ChangeEventsQuery } from "../streams/change-events.ts";
import { jobChangeSchema } from "../contract/components.ts";
import { JOB_FILTER_QUERY, readJobFilter } from "./job-filter-query.ts";
import { STANDARD_LIMIT } from "./list-page.ts";
import { MAX_WAIT_SECONDS, POLL_MILLIS } from "../streams/long-poll.ts";
import {
  changesCursorParameter,
  instantParameter,
  limitParameter,
  waitSecondsParameter,
} from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import { defineRoute, type Reply, type RouteContext } from "../contract/route.ts";

const MAX_LIMIT = 500;

export const changesRoute = defineRoute({
  template: "/v1/changes",
  operationId: "listChanges",
  summary:
    "Verdicts that became others, in the order in which they became known: page by page, or with Accept: text/event-stream as server-sent events",
  path: {},
  query: {
    ...JOB_FILTER_QUERY,
    since: v.exactOptional(
      instantParameter("Without a cursor: begin at this time, as far as the log reaches; now unless said."),
    ),
    waitSeconds: v.exactOptional(waitSecondsParameter(MAX_WAIT_SECONDS, 0)),
    limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(changesCursorParameter),
  },
  answer: v.object({
    items: v.array(jobChangeSchema),
    nextCursor: v.pipe(v.string(), v.description("Always there: pass it as cursor to go on, now or in a year.")),
    more: v.pipe(v.boolean(), v.description("There is more now: ask again at once.")),
  }),
  answerIs: "One page of changes.",
  statuses: [406, 503],
  handle: async (context, _path, { limit = STANDARD_LIMIT, cursor, since, waitSeconds = 0, ...query }) => {
    const read = readJobFilter(query);
    if (read.outcome === "refused") return { problem: read.problem };
    const from = { filter: read.filter, cursor: context.headers.lastEventId ?? cursor, since };
    if (context.headers.accept.includes(EVENT_STREAM)) return openStream(context, from);
    return pageOf(context, { ...from, limit, waitSeconds });
  },
});

const EVENT_STREAM = "text/event-stream";
const POLL = `Leave \`Accept: text/event-stream\` out and ask again and again with \`nextCursor\` as cursor, and \`waitSeconds=${MAX_WAIT_SECONDS}\`.`;

async function openStream(context: RouteContext, query: ChangeEventsQuery): Promise<Reply> {
  const { ports, scope, clock, live } = context;
  if (live === undefined) return { problem: problem("no-streams", `Answers are sent whole here. ${POLL}`) };
  const refused = await refusedCursor(context, query);
  if (refused !== undefined) return { problem: problem("bad-cursor", refused) };
  const stream = live.streams.open();
  if (stream === undefined) return { problem: problem("too-many-streams", `No more streams can be open. ${POLL}`) };
  new ChangeEvents(stream, query, {
    ports,
    scope,
    clock,
    hub: live.hub,
    turns: live.streams.turns,
    onError: live.onError,
  }).run();
  return { stream, mediaType: EVENT_STREAM };
}

/** A stream cannot say so once it has begun. */
async function refusedCursor(
  { ports, clock }: RouteContext,
  { cursor }: ChangeEventsQuery,
): Promise<string | undefined> {
  const nothing = { grants: [] };
  const page = await listChanges(await ports(), nothing, { filter: {}, limit: 1, now: clock(), cursor });
  return page.outcome === "badCursor" ? page.problem : undefined;
}

interface PageQuery extends ChangeEventsQuery {
  readonly limit: number;
  readonly waitSeconds: number;
}

async function pageOf({ ports, scope, clock, pause }: RouteContext, query: PageQuery): Promise<Reply> {
  const deadline = clock() + query.waitSeconds * 1_000;
  let { cursor } = query;
  for (;;) {
    const page = await listChanges(await ports(), scope, { ...query, now: clock(), cursor });
    if (page.outcome === "badCursor") return { problem: problem("bad-cursor", page.problem) };
    const { items, nextCursor, more } = page;
    const left = deadline - clock();
    if (items.length > 0 || left <= 0) return { body: { items, nextCursor, more } };
    cursor = nextCursor;
    if (!more && !(await pause(Math.min(POLL_MILLIS, left)))) return { body: { items, nextCursor, more } };
  }
}
