import * as v from "valibot";
import { type ChangesPage, changesStart, listChanges, type RefusedCursor } from "../../query/changes/changes.ts";
import { heartbeatSchema, listHeartbeats } from "../../query/clusters/clusters.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { ChangeEvents, type ChangeEventsQuery } from "../streams/change-events.ts";
import { jobChangeSchema } from "../../explain/answer-document.ts";
import { JOB_FILTER_QUERY, readJobFilter } from "./job-filter-query.ts";
import { STANDARD_LIMIT } from "./reply-with-page.ts";
import { MAX_WAIT_SECONDS, POLL_MILLIS } from "../streams/long-poll.ts";
import {
  changesCursorParameter,
  flagParameter,
  limitParameter,
  timeParameter,
  waitSecondsParameter,
} from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { defineRoute, type Reply, type RouteContext } from "../contract/route.ts";

const MAX_LIMIT = 500;

export const changesRoute = defineRoute({
  template: "/v1/changes",
  operationId: "listChanges",
  summary:
    "List status changes in the order in which they became known. With " +
    "`Accept: text/event-stream`, send them as server-sent events",
  path: {},
  query: {
    ...JOB_FILTER_QUERY,
    since: v.exactOptional(
      timeParameter("Begin at this time, if there is no cursor. Defaults to now. Changes are kept for 35 days."),
    ),
    waitSeconds: v.exactOptional(waitSecondsParameter(MAX_WAIT_SECONDS, 0)),
    limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(changesCursorParameter),
    heartbeats: v.exactOptional(
      flagParameter("`true`: also `heartbeats`, how recent the data of each cluster is. Not for streams."),
    ),
  },
  answer: v.object({
    items: v.array(jobChangeSchema),
    nextCursor: v.pipe(
      v.string(),
      v.description("Pass it as `cursor` to get later changes, within 35 days. Always present."),
    ),
    more: v.pipe(v.boolean(), v.description("Whether further changes are available now.")),
    heartbeats: v.exactOptional(v.array(heartbeatSchema)),
  }),
  answerIs: "One page of changes.",
  statuses: [406, 410, 503],
  handle: async (context, _path, query) => {
    const { limit = STANDARD_LIMIT, cursor, since, waitSeconds = 0, heartbeats = false, ...filter } = query;
    const now = context.clock();
    const read = readJobFilter(filter, now);
    if (read.outcome === "refused") return { problem: read.problem };
    const from = {
      filter: read.filter,
      cursor: context.headers.lastEventId ?? cursor,
      since: instantAt(since, now),
    };
    if (context.headers.accept.includes(EVENT_STREAM)) return openStream(context, from);
    const reply = await pageOf(context, { ...from, limit, waitSeconds });
    if (!heartbeats || !("body" in reply)) return reply;
    return { body: { ...reply.body, heartbeats: await listHeartbeats(context.meta, context.scope) } };
  },
});

const EVENT_STREAM = "text/event-stream";
const POLL = "Poll instead: omit `Accept: text/event-stream`, and send `nextCursor` as cursor every 30 seconds.";

async function openStream(context: RouteContext, query: ChangeEventsQuery): Promise<Reply> {
  const { scope, reader, clock, live } = context;
  if (live === undefined) return { problem: problem("no-streams", `This server does not support streams. ${POLL}`) };
  // A stream cannot report an error later.
  const start = await changesStart(context, { now: clock(), cursor: query.cursor });
  if (start.outcome !== "position") return cursorProblem(start);
  const stream = live.streams.open(reader);
  if (stream === undefined) {
    return { problem: problem("too-many-streams", `Too many streams are open. Close some of yours, or poll. ${POLL}`) };
  }
  new ChangeEvents(stream, query, {
    ports: live.portsFor(reader),
    scope,
    clock,
    hub: live.hub,
    pages: live.pages,
    turns: live.streams.turnsOf(reader),
    onError: live.onError,
  }).run();
  return { stream, mediaType: EVENT_STREAM };
}

function cursorProblem({ outcome, problem: detail }: RefusedCursor): { readonly problem: Problem } {
  return { problem: problem(outcome === "badCursor" ? "bad-cursor" : "cursor-expired", detail) };
}

interface PageQuery extends ChangeEventsQuery {
  readonly limit: number;
  readonly waitSeconds: number;
}

type PageReply =
  | { readonly body: Omit<Extract<ChangesPage, { outcome: "listed" }>, "outcome"> }
  | { readonly problem: Problem };

async function pageOf({ meta, scope, clock, pause }: RouteContext, query: PageQuery): Promise<PageReply> {
  const deadline = clock() + query.waitSeconds * 1_000;
  let { cursor } = query;
  for (;;) {
    const page = await listChanges({ meta }, scope, { ...query, now: clock(), cursor });
    if (page.outcome !== "listed") return cursorProblem(page);
    const { items, nextCursor, more } = page;
    const left = deadline - clock();
    const body = { items, nextCursor, more };
    if (items.length > 0 || left <= 0) return { body };
    cursor = nextCursor;
    if (more) continue;
    if (!(await pause(Math.min(POLL_MILLIS, left))) || POLL_MILLIS > left) return { body };
  }
}
