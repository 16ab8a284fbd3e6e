import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as v from "valibot";
import type { Instant } from "../job/model/instant.ts";
import { nearestNames } from "../text/nearest-names.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { Projections } from "../ports/projections.ts";
import { liveJobs } from "../projection/live-projection.ts";
import { type Access, admit } from "./access/access.ts";
import type { Credentials } from "./access/admission.ts";
import { ChangeHub } from "./streams/change-hub.ts";
import { KUBE_PATHS, type KubeServer, serveKubernetes } from "../kubectl-api/serve-kubernetes.ts";
import { openApiDocument } from "./contract/openapi-document.ts";
import type { OpenStreams } from "./streams/open-streams.ts";
import { pause as pauseFor } from "../concurrency/pause.ts";
import { PROBLEM_MEDIA_TYPE, type Problem, problem } from "./contract/problem.ts";
import { type ReadParameters, readParameters } from "./contract/read-parameters.ts";
import type { LiveAnswers, Reply, Route } from "./contract/route.ts";
import { ROUTES } from "./routes/routes.ts";

export interface ApiDependencies {
  readonly stores: ApiStores;
  readonly access: Access;
  readonly now: () => Instant;
  /** Resolves to true after so many milliseconds; to false when the signal aborts. @default a timer */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  /** The streams that may be open. Absent where an answer is sent whole, as in a Lambda: who asks for a stream is told to poll. */
  readonly streams?: OpenStreams;
  /** The release, for the OpenAPI document. */
  readonly version: string;
  /** Told of every error that becomes "500": the answer does not carry it. */
  readonly onError: (error: Error) => void;
}

export interface ApiStores {
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly log: Log;
}

/** What comes with a request from where it was received, and not from who sent it: `app.fetch(request, environment)`. */
export interface ApiEnvironment {
  /** `requestContext.identity.caller` of API Gateway, where the method asks for IAM: who signed the request. */
  readonly iamCaller?: string | undefined;
}

/** The HTTP API: reads only, the same on Node, in a Lambda and within the process. */
export function createApi(dependencies: ApiDependencies): Hono {
  const app = new Hono();
  const live = liveAnswers(dependencies);
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of SAFE_HEADERS) context.header(name, value);
  });
  app.get(OPENAPI_PATH, (context) => serveDocument(context, dependencies));
  for (const route of ROUTES) app.get(honoPath(route.template), (context) => serve(context, route, dependencies, live));
  for (const path of KUBE_PATHS) app.all(path, (context) => serveKubernetes(context, kubeServer(dependencies, live)));
  for (const path of PATHS) app.all(path, notAllowed);
  app.notFound((context) => respondProblem(context, noSuchRoute(context.req.path)));
  app.onError((error, context) => {
    dependencies.onError(error);
    return respondProblem(context, problem("internal", INTERNAL));
  });
  return app;
}

const OPENAPI_PATH = "/v1/openapi.json";
const PATHS = [OPENAPI_PATH, ...ROUTES.map(({ template }) => honoPath(template))];
const INTERNAL = "The answer could not be computed. Ask again; if it stays so, the server's own output has the cause.";

/** Nothing an answer holds is for a cache, a frame or a browser's guess. */
const SAFE_HEADERS = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["referrer-policy", "no-referrer"],
] as const;

function kubeServer(dependencies: ApiDependencies, live: LiveAnswers | undefined): KubeServer {
  const { stores, access, now, pause = pauseFor, version } = dependencies;
  return {
    admit: (context) => admit(access, credentialsOf(context), stores.meta),
    ports: () => livePorts(stores),
    clock: now,
    pause,
    version,
    live,
  };
}

/** One reading of the changes for all streams of this server. */
function liveAnswers({ stores, streams, now, pause = pauseFor, onError }: ApiDependencies): LiveAnswers | undefined {
  if (streams === undefined) return undefined;
  return { streams, onError, hub: new ChangeHub({ ports: () => livePorts(stores), now, pause, onError }) };
}

async function serve(
  context: Context,
  route: Route,
  dependencies: ApiDependencies,
  live: LiveAnswers | undefined,
): Promise<Response> {
  const { stores, access, now, pause = pauseFor } = dependencies;
  const admission = route.open === true ? OPEN : await admit(access, credentialsOf(context), stores.meta);
  if (admission.outcome === "refused") return respondProblem(context, admission.problem);
  const path = readParameters("path", route.path, Object.entries(context.req.param()));
  if (path.outcome === "refused") return respondProblem(context, path.problem);
  const query = readQuery(context, route.query);
  if (query.outcome === "refused") return respondProblem(context, query.problem);
  const ports = () => livePorts(stores);
  const { signal } = context.req.raw;
  const asked = {
    ports,
    scope: admission.scope,
    now: now(),
    clock: now,
    pause: (milliseconds: number) => pause(milliseconds, signal),
    headers: { accept: context.req.header("accept") ?? "", lastEventId: context.req.header("last-event-id") },
    ...(live && { live }),
  };
  return respond(context, await route.handle(asked, path.value, query.value));
}

/** All that a question is: its parameters, and no body. */
function readQuery<Entries extends v.ObjectEntries>(context: Context, entries: Entries): ReadParameters<Entries> {
  if (hasBody(context)) return { outcome: "refused", problem: problem("body-not-expected", BODY) };
  return readParameters("query", entries, [...new URL(context.req.url).searchParams]);
}

async function livePorts({ projections, meta, log }: ApiStores): Promise<QueryPorts> {
  return { jobs: await liveJobs(projections, meta), meta, log };
}

const OPEN = { outcome: "admitted", scope: { grants: [] } } as const;
const BODY = "This API only reads, with GET and parameters in the URL: send the request without a body.";

async function serveDocument(context: Context, { stores, access, version }: ApiDependencies): Promise<Response> {
  const admission = await admit(access, credentialsOf(context), stores.meta);
  if (admission.outcome === "refused") return respondProblem(context, admission.problem);
  const query = readQuery(context, {});
  if (query.outcome === "refused") return respondProblem(context, query.problem);
  return context.json(openApiDocument(ROUTES, version));
}

function credentialsOf(context: Context): Credentials {
  // Hono hands on whatever `fetch` was given, and nothing where it was given nothing.
  const { iamCaller } = (context.env as ApiEnvironment | undefined) ?? {};
  return { host: context.req.header("host"), authorization: context.req.header("authorization"), iamCaller };
}

function hasBody(context: Context): boolean {
  return (
    context.req.header("transfer-encoding") !== undefined || Number(context.req.header("content-length") ?? "0") !== 0
  );
}

function respond(context: Context, reply: Reply): Response {
  if ("problem" in reply) return respondProblem(context, reply.problem);
  if ("body" in reply) return context.json(reply.body);
  // Nginx and its like keep answers back unless told so.
  return context.body(reply.stream.body, { headers: { "content-type": reply.mediaType, "x-accel-buffering": "no" } });
}

function respondProblem(context: Context, { ...body }: Problem): Response {
  if (body.status === 401) context.header("www-authenticate", 'Bearer realm="outlive"');
  return context.body(JSON.stringify(body), {
    // Hono's type knows each code that may have a body; those of problems all may.
    status: body.status as ContentfulStatusCode,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}

function notAllowed(context: Context): Response {
  context.header("allow", "GET, HEAD");
  return respondProblem(
    context,
    problem("method-not-allowed", `${context.req.path} is read with GET; ${context.req.method} does nothing here.`),
  );
}

function noSuchRoute(path: string): Problem {
  const templates = [OPENAPI_PATH, ...ROUTES.map(({ template }) => template)];
  const [nearest] = nearestNames(path, templates);
  return problem(
    "no-such-route",
    `There is nothing at ${JSON.stringify(path)}. ${nearest === undefined ? "" : `Did you mean ${nearest}? `}${OPENAPI_PATH} lists the routes.`,
  );
}

/** OpenAPI writes `{name}` where Hono writes `:name`. */
function honoPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}
