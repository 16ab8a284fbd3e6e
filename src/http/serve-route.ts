import type { Context } from "hono";
import type * as v from "valibot";
import { NO_SCOPE } from "../query/access/scope.ts";
import { admit } from "./access/access.ts";
import { requestTarget } from "./access/request-bounds.ts";
import { type ApiServer, credentialsOf } from "./api-server.ts";
import { ArchiveUse } from "./archive-use.ts";
import { problem } from "./contract/problem.ts";
import { type ReadParameters, readParameters } from "./contract/read-parameters.ts";
import type { Route, RouteContext } from "./contract/route.ts";
import type { OpenAnswer } from "./open-answer.ts";
import { foreignOrigin, readBody, type ReadBody } from "./read-body.ts";
import { respond, respondProblem } from "./respond.ts";

/** Authenticates the request, reads its parameters and sends the route's reply, in this order. */
export async function serveRoute(context: Context, route: Route, server: ApiServer): Promise<Response> {
  const admission = route.open === true ? OPEN : await admit(server.access, credentialsOf(context));
  if (admission.outcome === "refused") return respondProblem(context, admission.problem);
  const path = readParameters("path", route.path, Object.entries(context.req.param()));
  if (path.outcome === "refused") return respondProblem(context, path.problem);
  const query = readQuery(context, route.query, route.body !== undefined);
  if (query.outcome === "refused") return respondProblem(context, query.problem);
  const sent = await readSent(context, route, query.value);
  if (sent.outcome === "refused") return respondProblem(context, sent.problem);
  const opened = server.open(context, admission.reader);
  if (opened.outcome === "refused") return respondProblem(context, opened.problem);
  const { answer } = opened;
  return answer.build(async () => {
    const archiveUse = new ArchiveUse();
    const routeContext = contextOf(context, server, { ...admission, archiveUse, answer });
    const reply = await route.handle(routeContext, path.value, sent.value);
    if (archiveUse.warning !== undefined) context.header("warning", archiveUse.warning);
    return respond(context, reply, answer);
  });
}

/** What a request says in its body; in its query, if the route reads no body. */
async function readSent({ req }: Context, { method, body }: Route, query: object): Promise<ReadBody> {
  const foreign = method === undefined ? undefined : foreignOrigin(req.raw.headers);
  if (foreign !== undefined) return { outcome: "refused", problem: foreign };
  return body === undefined ? { outcome: "read", value: query } : readBody(req.raw, body);
}

const OPEN = {
  outcome: "admitted",
  scope: NO_SCOPE,
  acknowledges: NO_SCOPE,
  reader: "unauthenticated",
  name: "unauthenticated",
} as const;
const BODY = "All parameters of this request are in its URL. Send it without a body.";

interface RequestContext extends Pick<RouteContext, "scope" | "acknowledges" | "reader" | "name"> {
  readonly archiveUse: ArchiveUse;
  readonly answer: OpenAnswer;
}

function contextOf(context: Context, server: ApiServer, request: RequestContext): RouteContext {
  const { scope, acknowledges, reader, name, archiveUse, answer } = request;
  const { signal } = answer;
  const archive = server.openArchive();
  const ports = server.portsFor(reader, { archive, signal });
  return {
    ports: async () => archiveUse.watch(await ports()),
    meta: server.metaFor(reader, signal),
    scope,
    acknowledges,
    reader,
    name,
    now: server.now(),
    clock: server.now,
    writeProblem: () => server.writeProblem(),
    pause: (milliseconds) => answer.aside(() => server.pause(milliseconds, signal)),
    headers: { accept: context.req.header("accept") ?? "", lastEventId: context.req.header("last-event-id") },
    ...(server.acknowledgements && { acknowledgements: server.acknowledgements }),
    ...(server.live && { live: server.live }),
    ...(server.metrics && { serverMetrics: server.metrics }),
    ...(archive && { archive }),
  };
}

/** Reads the parameters of the query. A body is refused, unless the route reads one. */
export function readQuery<Entries extends v.ObjectEntries>(
  context: Context,
  entries: Entries,
  readsBody = false,
): ReadParameters<Entries> {
  if (!readsBody && hasBody(context)) return { outcome: "refused", problem: problem("body-not-expected", BODY) };
  return readParameters("query", entries, [...new URLSearchParams(requestTarget(context.req.url).query)]);
}

function hasBody(context: Context): boolean {
  return (
    context.req.header("transfer-encoding") !== undefined || Number(context.req.header("content-length") ?? "0") !== 0
  );
}
