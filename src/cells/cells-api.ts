import { type Context, Hono } from "hono";
import { type Access, admit } from "../http/access/access.ts";
import type { Admission } from "../http/access/admission.ts";
import { requestTarget } from "../http/access/request-bounds.ts";
import { type ReaderLimitOptions, ReaderLimits } from "../http/access/reader-limits.ts";
import { type ApiEnvironment, credentialsOf } from "../http/api-server.ts";
import { type Problem, problem } from "../http/contract/problem.ts";
import { readParameters } from "../http/contract/read-parameters.ts";
import { guardRequest, INTERNAL } from "../http/create-api.ts";
import { respond, respondProblem } from "../http/respond.ts";
import type { Instant } from "../job/model/instant.ts";
import { kubeStatus, reasonOf } from "../kubectl-api/kube-status.ts";
import { respondStatus } from "../kubectl-api/respond-kubernetes.ts";
import type { MetaStore } from "../ports/meta.ts";
import { askAboutCluster, batchOverCells } from "./ask-about-cluster.ts";
import { type AskCell, type AskSelf, cellAsker, VIA_HEADER } from "./ask-cell.ts";
import { type CellRegistry, readRegistry } from "./cell-registry.ts";
import type { CellReader, UnavailableCell } from "./fan-out.ts";
import type { CellsReply } from "./list-over-cells.ts";
import { UNAVAILABLE_HEADER } from "./unavailable-header.ts";
import { MERGED_ROUTES, type MergedRoute } from "./merged-routes.ts";

/** The API of one stage, as a Fetch handler. */
export interface StageApi {
  fetch(request: Request, environment: ApiEnvironment): Response | Promise<Response>;
}

export interface CellsDependencies {
  /** Answers for this stage alone. */
  readonly stage: StageApi;
  readonly meta: MetaStore;
  readonly access: Access;
  readonly now: () => Instant;
  /** Resolves to true after this many milliseconds, or to false when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly readerLimits?: ReaderLimitOptions;
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch;
  readonly onError: (error: Error) => void;
}

/** A change of the registry takes effect within so many milliseconds. */
const REGISTRY_MILLIS = 10_000;

/**
 * The API over several cells. It answers what names no cluster from all cells, and what names one from its cell. A
 * stage without registered cells answers as before.
 */
export function createCellsApi(dependencies: CellsDependencies): Hono {
  const app = new Hono();
  const server = new CellsServer(dependencies);
  const { stage, onError } = dependencies;
  const answerAlone = (context: Context) => stage.fetch(context.req.raw, environmentOf(context));
  app.use(async (context, next) => {
    if (await server.isAlone(context)) context.res = await answerAlone(context);
    else await next();
  });
  for (const merged of MERGED_ROUTES) app.get(merged.route.template, guardRequest, (c) => server.answer(c, merged));
  app.get("/v1/clusters/:cluster/*", guardRequest, (context) => server.route(context, isBatch(context)));
  app.get("/clusters/:cluster/*", guardRequest, (context) => server.routeKubernetes(context));
  app.all("*", answerAlone);
  app.onError((error, context) => {
    onError(error);
    return respondProblem(context, problem("internal", INTERNAL));
  });
  return app;
}

function isBatch({ req }: Context): boolean {
  return /^\/v1\/clusters\/[^/]+\/jobs\/batch$/.test(req.path);
}

const TOO_MANY_REQUESTS =
  "You send too many requests, or too many are in progress. Wait until some have ended, then retry.";
/** The cells' addresses are no secret to readers that the stage has admitted. */
function noSignatures({ cells }: CellRegistry): string {
  const addresses = cells.map(({ name, url }) => `${name}: ${url ?? `this API with the header ${VIA_HEADER}: 1`}`);
  return (
    "This stage has several cells, and a signed request cannot be passed on to them, because its signature is for " +
    `this API only. Sign requests to the cells themselves (${addresses.join("; ")}), or use tokens of an OpenID ` +
    "Connect issuer (docs/cells.md)."
  );
}
const NO_STREAMS = "An API over several cells does not support streams. Poll with `waitSeconds` and `cursor` instead.";

/** The headers of a request that cells get. */
const PASSED_ON = ["accept", "authorization"];
/** The headers of a cell's answer that the reader gets. */
const RETURNED = ["content-type", "retry-after", "warning", "www-authenticate"];

type Admitted = Extract<Admission, { readonly outcome: "admitted" }>;

class CellsServer {
  readonly #dependencies: CellsDependencies;
  readonly #limits: ReaderLimits;
  readonly #ask: (self: AskSelf) => AskCell;
  #known: { readonly registry: CellRegistry; readonly readAt: Instant } | undefined;

  constructor(dependencies: CellsDependencies) {
    this.#dependencies = dependencies;
    this.#limits = new ReaderLimits(dependencies.readerLimits);
    this.#ask = cellAsker({ fetch: dependencies.fetch ?? fetch, now: dependencies.now });
  }

  /** Whether the stage has no cells, or another stage asks it as one. Its API also explains invalid methods. */
  async isAlone({ req }: Context): Promise<boolean> {
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (!isRead || req.header(VIA_HEADER) !== undefined || Number(req.header("content-length") ?? "0") !== 0) {
      return true;
    }
    return (await this.#registry()).cells.length === 0;
  }

  /** Answers from all cells. */
  answer(context: Context, { route, merge }: MergedRoute): Promise<Response> {
    const { query } = requestTarget(context.req.url);
    const { cursor, parameters } = withoutCursor(new URLSearchParams(query));
    return this.#admitted(context, async (reader) => {
      if (context.req.header("accept")?.includes("text/event-stream") === true) {
        return { problem: problem("no-streams", NO_STREAMS) };
      }
      const read = readParameters("query", route.query, [...parameters]);
      if (read.outcome === "refused") return { problem: read.problem };
      if (cursor.length > 1) return { problem: problem("bad-parameter", 'Parameter "cursor" (query) is given twice.') };
      const { now: clock, pause } = this.#dependencies;
      const { signal } = context.req.raw;
      const pauseFor = (milliseconds: number) => pause(milliseconds, signal);
      return merge(reader, { parameters, cursor: cursor[0], clock, pause: pauseFor });
    });
  }

  /** Answers from the cell of the cluster. */
  route(context: Context, batch: boolean): Promise<Response> {
    const question = { cluster: context.req.param("cluster") ?? "", target: targetOf(context) };
    return this.#admitted(context, async (reader) => {
      if (batch) return batchOverCells(reader, question);
      const routed = await askAboutCluster(reader, question);
      if (routed.outcome === "refused") return routed;
      return {
        response: passedOn(
          routed.response,
          routed.notAsked.map(({ name }) => name),
        ),
      };
    });
  }

  /** The same, with errors as kube-apiserver writes them. */
  async routeKubernetes(context: Context): Promise<Response> {
    const response = await this.route(context, false);
    if (response.ok || response.headers.get("content-type")?.startsWith("application/problem+json") !== true) {
      return response;
    }
    const { status, detail } = (await response.json()) as Problem;
    return respondStatus(context, { ...kubeStatus(reasonOf(status), detail), code: status });
  }

  async #admitted(
    context: Context,
    answer: (reader: CellReader) => Promise<CellsReply | { readonly response: Response }>,
  ): Promise<Response> {
    const { access, meta } = this.#dependencies;
    const admission = await admit(access, credentialsOf(context), meta);
    if (admission.outcome === "refused") return respondProblem(context, admission.problem);
    if (access.kind === "iam") {
      return respondProblem(context, problem("forbidden", noSignatures(await this.#registry())));
    }
    const reader = await this.#readerOf(context, admission);
    const reply = await this.#limits.run(admission.reader, () => answer(reader));
    if (reply === undefined) return respondProblem(context, problem("too-many-requests", TOO_MANY_REQUESTS));
    if ("response" in reply) return reply.response;
    if ("body" in reply) warn(context, reply.body.unavailable ?? []);
    return respond(context, reply);
  }

  async #readerOf(context: Context, { scope }: Admitted): Promise<CellReader> {
    const headers = headersOf(context, PASSED_ON);
    const ask = this.#ask(async (target, own) => {
      const host = context.req.header("host");
      if (host !== undefined) own.set("host", host);
      const request = new Request(new URL(target, "https://api.invalid"), { headers: own });
      return this.#dependencies.stage.fetch(request, environmentOf(context));
    });
    return { registry: await this.#registry(), ask, headers, scope };
  }

  async #registry(): Promise<CellRegistry> {
    const { meta, now } = this.#dependencies;
    if (this.#known !== undefined && now() - this.#known.readAt < REGISTRY_MILLIS) return this.#known.registry;
    const registry = await readRegistry(meta);
    this.#known = { registry, readAt: now() };
    return registry;
  }
}

/** Hono passes on the environment that `fetch` was given; there may be none. */
function environmentOf(context: Context): ApiEnvironment {
  return (context.env as ApiEnvironment | undefined) ?? {};
}

function headersOf({ req }: Context, names: readonly string[]): Headers {
  return new Headers(
    names.flatMap((name): [string, string][] => {
      const value = req.header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Path and query of a request, as they were sent. */
function targetOf(context: Context): string {
  const { path, query } = requestTarget(context.req.url);
  return query === "" ? path : `${path}?${query}`;
}

function withoutCursor(parameters: URLSearchParams) {
  const cursor = parameters.getAll("cursor");
  parameters.delete("cursor");
  return { cursor, parameters };
}

function passedOn(response: Response, notAsked: readonly string[]): Response {
  const headers = new Headers();
  for (const name of RETURNED) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (notAsked.length > 0) {
    headers.append("warning", `299 - "Earlier Jobs of this cluster are in other cells: ${notAsked.join(", ")}."`);
  }
  return new Response(response.body, { status: response.status, headers });
}

/** Says also in headers what an answer lacks, for clients that do not read `unavailable`. */
function warn(context: Context, unavailable: readonly UnavailableCell[]): void {
  if (unavailable.length === 0) return;
  const cells = unavailable.map(({ cell }) => cell).join(", ");
  context.header(UNAVAILABLE_HEADER, cells);
  context.header("warning", `299 - "The answer lacks cells that are not available: ${cells}."`);
}
