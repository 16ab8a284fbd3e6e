import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import { ArchiveBudgetError } from "../archive/read/bounded-objects.ts";
import { nearestNames } from "../job/text/nearest-names.ts";
import { admit } from "./access/access.ts";
import { OPEN_PATHS, oversized, requestTarget } from "./access/request-bounds.ts";
import { type ApiDependencies, ApiServer, credentialsOf } from "./api-server.ts";
import { type Problem, problem } from "./contract/problem.ts";
import type { Route } from "./contract/route.ts";
import type { OptionalApi } from "./optional-api.ts";
import { ReaderLeftError } from "./reader-left.ts";
import { respond, respondProblem } from "./respond.ts";
import { UnfinishedNotice } from "./unfinished-notice.ts";
import { readQuery, serveRoute } from "./serve-route.ts";

export type { ApiDependencies, ApiEnvironment, ApiStores } from "./api-server.ts";

/** The HTTP API. It reads, but for acknowledgements, and is the same on Node, in a Lambda function and in-process. */
export function createApi(dependencies: ApiDependencies): Hono {
  const app = new Hono();
  const server = new ApiServer(dependencies);
  app.use(server.meter.middleware);
  app.use(guardRequest);
  const notice = new UnfinishedNotice(server.stores.meta);
  app.use(async (context, next) => {
    await next();
    const warning = isAnswer(context) ? await notice.warning() : undefined;
    if (warning !== undefined) context.header("warning", warning, { append: true });
  });
  addRoutes(app, server, dependencies.apis ?? []);
  app.notFound((context) => refuse(context, server, (refused) => noSuchRoute(refused, server)));
  app.onError((error, context) => {
    if (error instanceof ArchiveBudgetError) return respondProblem(context, problem("archive-too-large", TOO_MUCH));
    // The client has left: this answer is not sent.
    if (error instanceof ReaderLeftError) server.meter.setLeft(context);
    else dependencies.onError(error);
    return respondProblem(context, problem("internal", INTERNAL));
  });
  return app;
}

function addRoutes(app: Hono, server: ApiServer, apis: readonly OptionalApi[]): void {
  // Paths in the notation of OpenAPI or of Hono.
  const at = (path: string, serve: (context: Context) => Promise<Response>): Handler => {
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    return (context) => {
      server.meter.setRoute(context, template);
      return serve(context);
    };
  };
  const document = (context: Context): Promise<Response> => serveDocument(context, server);
  app.get(OPENAPI_PATH, at(OPENAPI_PATH, document));
  for (const route of server.routes) {
    const handler = at(route.template, (context) => serveRoute(context, route, server));
    app.on(methodOf(route), honoPath(route.template), handler);
  }
  const shared = { ...server.shared, get: (context: Context, path: string) => getAsReaderOf(app, context, path) };
  for (const { paths, serve } of apis) {
    const handle = (context: Context): Promise<Response> => serve(context, shared);
    for (const path of paths) app.all(path, at(path, handle));
  }
  for (const [path, methods] of methodsOf(server)) {
    const refused = (context: Context) => refuse(context, server, () => methodNotAllowed(context, methods));
    app.all(path, at(path, refused));
  }
}

/** A request of this server to itself, with the credentials of the request that it answers. */
async function getAsReaderOf(app: Hono, context: Context, path: string): Promise<Response> {
  const { host, authorization, iamCaller, remoteAddress } = credentialsOf(context);
  const headers = { ...(host !== undefined && { host }), ...(authorization !== undefined && { authorization }) };
  const { signal } = context.req.raw;
  return app.fetch(new Request(new URL(path, "http://localhost"), { headers, signal }), { iamCaller, remoteAddress });
}

/** An answer about the stored data, to an admitted reader. */
function isAnswer({ req, res }: Context): boolean {
  return res.ok && !OPEN_PATHS.has(req.path) && req.path !== OPENAPI_PATH;
}

const OPENAPI_PATH = "/v1/openapi.json";
const INTERNAL =
  "The server could not compute the answer. Retry; if it fails again, see the server's log for the cause.";

const TOO_MUCH =
  "The answer needs more of the archive than one request may read. An operator can read it without this limit: " +
  "`outlive archive import` copies the archive into a database file, which `outlive get --database` reads.";

/** No cache stores an answer, no page embeds it, and no browser guesses its type. */
const SAFE_HEADERS = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["referrer-policy", "no-referrer"],
] as const;

/** Refuses oversized requests, and sets the headers of every answer. */
const guardRequest: MiddlewareHandler = async (context, next) => {
  const refused = oversized(requestTarget(context.req.url), context.req.raw.headers);
  if (refused !== undefined) context.res = respondProblem(context, refused);
  else await next();
  for (const [name, value] of SAFE_HEADERS) context.header(name, value);
};

async function serveDocument(context: Context, server: ApiServer): Promise<Response> {
  const admission = await admit(server.access, credentialsOf(context));
  if (admission.outcome === "refused") return respondProblem(context, admission.problem);
  const query = readQuery(context, {});
  if (query.outcome === "refused") return respondProblem(context, query.problem);
  const opened = server.open(context, admission.reader);
  if (opened.outcome === "refused") return respondProblem(context, opened.problem);
  const { answer } = opened;
  return answer.build(async () => {
    // Loaded on demand: few callers read this route, and its dependencies are large.
    const { openApiDocument } = await import("./contract/openapi-document.ts");
    return respond(context, { body: openApiDocument(server.routes, server.version) }, answer);
  });
}

/** Rejects a request that matches no route. Only authenticated callers get hints, because hints cost time. */
async function refuse(context: Context, server: ApiServer, hint: (context: Context) => Problem): Promise<Response> {
  const admission = await admit(server.access, credentialsOf(context));
  return respondProblem(context, admission.outcome === "refused" ? admission.problem : hint(context));
}

function methodNotAllowed(context: Context, methods: readonly Method[]): Problem {
  context.header("allow", methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "));
  const { path, method } = context.req;
  return problem("method-not-allowed", `${path} only supports ${methods.join(" and ")}, not ${method}.`);
}

function noSuchRoute(context: Context, { routes }: ApiServer): Problem {
  const { path } = context.req;
  const [nearest] = nearestNames(path, [OPENAPI_PATH, ...routes.map(({ template }) => template)]);
  const hint = nearest === undefined ? "" : `Did you mean ${nearest}? `;
  return problem("no-such-route", `No route matches ${JSON.stringify(path)}. ${hint}${OPENAPI_PATH} lists the routes.`);
}

type Method = "GET" | NonNullable<Route["method"]>;

function methodOf({ method }: Route): Method {
  return method ?? "GET";
}

/** The methods of each path. */
function methodsOf({ routes }: ApiServer): Iterable<readonly [string, readonly Method[]]> {
  const byPath = Map.groupBy(routes, ({ template }) => honoPath(template));
  return [[OPENAPI_PATH, ["GET"]], ...[...byPath].map(([path, of]) => [path, of.map(methodOf)] as const)];
}

/** OpenAPI writes `{name}` where Hono writes `:name`. */
function honoPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}
