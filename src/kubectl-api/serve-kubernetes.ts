import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Instant } from "../job/model/instant.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Scope } from "../query/access/scope.ts";
import type { Admission } from "../http/access/admission.ts";
import type { LiveAnswers } from "../http/contract/route.ts";
import { Semaphore } from "../concurrency/semaphore.ts";
import { answerKubernetes, chooseKubeCluster } from "./answer-kubernetes.ts";
import { discover, discoveryMediaType } from "./discovery.ts";
import type { KubeContext } from "./kube-context.ts";
import { type KubeListOptions, type KubePath, readListOptions, readPath } from "./kube-request.ts";
import { type KubeShape, readShape, showList, showOne } from "./kube-shape.ts";
import { type KubeStatus, kubeStatus, reasonOf } from "./kube-status.ts";
import { startOfWatch } from "./kube-watch.ts";
import { runWatch } from "./run-watch.ts";

/** What the Kubernetes-shaped API needs of the server it is part of. */
export interface KubeServer {
  readonly admit: (context: Context) => Promise<Admission>;
  readonly ports: () => Promise<QueryPorts>;
  readonly clock: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly version: string;
  readonly live: LiveAnswers | undefined;
}

/** The paths below which this API lives, at the root and below a cluster. */
export const KUBE_PATHS = ["/version", "/api", "/api/*", "/apis", "/apis/*", "/openapi/*"].flatMap((path) => [
  path,
  `/clusters/:cluster${path}`,
]);

/** Answers as kube-apiserver would, reading only. */
export async function serveKubernetes(context: Context, server: KubeServer): Promise<Response> {
  const admission = await server.admit(context);
  if (admission.outcome === "refused") {
    const { status, detail } = admission.problem;
    return respondStatus(context, { ...kubeStatus(reasonOf(status), detail), code: status });
  }
  if (context.req.method !== "GET" && context.req.method !== "HEAD") {
    context.header("allow", "GET, HEAD");
    return respondStatus(context, kubeStatus("MethodNotAllowed", READ_ONLY));
  }
  const [, named, path = context.req.path] = /^\/clusters\/([^/]+)(\/.*)$/.exec(context.req.path) ?? [];
  const accept = context.req.header("accept") ?? "";
  const discovered = discover(path.replace(/\/$/, ""), accept, server.version);
  if (discovered !== undefined) return respond(context, discovered, discoveryMediaType(accept));
  return answer(context, server, { scope: admission.scope, named, path });
}

const READ_ONLY = "Outlive only reads: it shows what happened to Jobs, and changes nothing in any cluster.";

interface Asked {
  readonly scope: Scope;
  readonly named: string | undefined;
  readonly path: string;
}

async function answer(context: Context, server: KubeServer, { scope, named, path: text }: Asked): Promise<Response> {
  const read = readPath(text);
  if (read.outcome === "refused") return respondStatus(context, read.status);
  const { path } = read;
  const query = new URL(context.req.url).searchParams;
  const listed = readListOptions(query, path.resource.plural);
  if (listed.outcome === "refused") return respondStatus(context, listed.status);
  const ports = await server.ports();
  const chosen = await chooseKubeCluster({ ports, scope }, named);
  if ("status" in chosen) return respondStatus(context, chosen.status);
  const asked: KubeContext = {
    ports,
    scope,
    cluster: chosen.cluster,
    now: server.clock(),
    most: server.live === undefined ? MOST_AT_ONCE : MOST,
  };
  const shape = readShape(context.req.header("accept") ?? "", query);
  const question: Question = { path, options: listed.options, shape };
  return listed.options.watch ? answerWatch(context, server, asked, question) : answerOnce(context, asked, question);
}

/** Where an answer is sent whole, a Lambda passes on 6 MB; an object has some 3 kB. */
const MOST_AT_ONCE = 1_000;
const MOST = 10_000;

/** kubectl and client-go print warnings (RFC 7234, 5.5, as kube-apiserver sends them). */
function notAll(count: number): string {
  return `These are the first ${count} and not all: ask with a limit, and go on with metadata.continue.`;
}

interface Question {
  readonly path: KubePath;
  readonly options: KubeListOptions;
  readonly shape: KubeShape;
}

async function answerOnce(context: Context, asked: KubeContext, { path, options, shape }: Question): Promise<Response> {
  const found = await answerKubernetes(asked, path, options);
  if (found.outcome === "refused") return respondStatus(context, found.status);
  if (options.whole && found.listing.continueToken !== undefined) {
    context.header("warning", `299 - "${notAll(found.listing.objects.length)}"`);
  }
  const body =
    path.name === undefined
      ? showList(found.listing, path.resource, shape, asked.now)
      : showOne(found.listing, shape, asked.now);
  return respond(context, body, "application/json");
}

/** Less than the 29 s that API Gateway waits: where answers are sent whole, a watch is what came in this time, and clients watch on. */
const WHOLE_WATCH_SECONDS = 20;
const MAX_WATCH_SECONDS = 3_600;
const MILLIS = 1_000;

async function answerWatch(
  context: Context,
  server: KubeServer,
  asked: KubeContext,
  { path, options, shape }: Question,
): Promise<Response> {
  const start = await startOfWatch(asked, { path, options });
  if (start.outcome === "refused") return respondStatus(context, start.status);
  const { live, clock } = server;
  const most = live === undefined ? WHOLE_WATCH_SECONDS : MAX_WATCH_SECONDS;
  const endsAt = clock() + Math.min(options.timeoutSeconds ?? most, most) * MILLIS;
  const run = {
    target: { path, options },
    start,
    shape,
    clock,
    endsAt,
    context: async () => ({ ...asked, ports: await server.ports(), now: clock() }),
  };
  if (live === undefined) {
    const lines: string[] = [];
    const { signal } = context.req.raw;
    await runWatch({
      ...run,
      turns: new Semaphore(1),
      room: async () => true,
      send: (line) => lines.push(line) > 0,
      pause: (millis) => server.pause(millis, signal),
    });
    return context.body(lines.join(""), { headers: JSON_STREAM });
  }
  const stream = live.streams.open();
  if (stream === undefined) return respondStatus(context, kubeStatus("ServiceUnavailable", TOO_MANY));
  const { ended } = stream;
  runWatch({
    ...run,
    turns: live.streams.turns,
    room: () => stream.room(),
    send: (line) => stream.send(line),
    pause: (millis) => server.pause(millis, ended),
  })
    .catch((error: unknown) => live.onError(error instanceof Error ? error : new Error(String(error))))
    .finally(() => stream.end());
  return context.body(stream.body, { headers: { ...JSON_STREAM, "x-accel-buffering": "no" } });
}

const TOO_MANY = "As many watches are open as there may be: list instead.";
const JSON_STREAM = { "content-type": "application/json" };

function respond(context: Context, body: unknown, mediaType: string): Response {
  return context.body(JSON.stringify(body), { headers: { "content-type": mediaType } });
}

function respondStatus(context: Context, status: KubeStatus): Response {
  if (status.code === 401) context.header("www-authenticate", 'Bearer realm="outlive"');
  return context.body(JSON.stringify(status), {
    // Hono's type knows each code that may have a body; those of CODES all may.
    status: status.code as ContentfulStatusCode,
    headers: { "content-type": "application/json" },
  });
}
