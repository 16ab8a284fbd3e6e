import type { Context } from "hono";
import type { Scope } from "../../query/access/scope.ts";
import { requestTarget } from "../access/request-bounds.ts";
import type { OpenAnswer } from "../open-answer.ts";
import { respondText } from "../respond.ts";
import type { TextParts } from "../streams/answer-body.ts";
import { type ListPart, listText, startingWith } from "../streams/list-text.ts";
import { answerKubernetes, chooseKubeCluster, type KubeAnswer } from "./answer-kubernetes.ts";
import { discover, discoveryMediaType } from "./discovery.ts";
import type { KubeContext, KubeQuestion } from "./kube-context.ts";
import type { SharedServer } from "../optional-api.ts";
import { readListOptions, readPath } from "./kube-request.ts";
import { itemsOf, readShape, showList, showOne } from "./kube-shape.ts";
import { kubeStatus, reasonOf, respondStatus } from "./kube-status.ts";
import { answerWatch } from "./watch/answer-watch.ts";

/** Answers like kube-apiserver, for reads only. */
export async function serveKubernetes(context: Context, server: SharedServer): Promise<Response> {
  const admission = await server.admit(context);
  if (admission.outcome === "refused") {
    const { status, detail } = admission.problem;
    return respondStatus(context, { ...kubeStatus(reasonOf(status), detail), code: status });
  }
  if (context.req.method !== "GET" && context.req.method !== "HEAD") {
    context.header("allow", "GET, HEAD");
    return respondStatus(context, kubeStatus("MethodNotAllowed", READ_ONLY));
  }
  const [, cluster, path = context.req.path] = /^\/clusters\/([^/]+)(\/.*)$/.exec(context.req.path) ?? [];
  const accept = context.req.header("accept") ?? "";
  const { scope, reader } = admission;
  const opened = server.open(context, reader);
  if (opened.outcome === "refused") {
    return respondStatus(context, kubeStatus("TooManyRequests", opened.problem.detail));
  }
  const { answer: open } = opened;
  return open.build(async () => {
    const discovered = discover(path.replace(/\/$/, ""), accept, server.version);
    if (discovered !== undefined) {
      return respondText(context, open.bodyOf(JSON.stringify(discovered)), discoveryMediaType(accept));
    }
    return answer(context, server, { scope, reader, cluster, path, open });
  });
}

const READ_ONLY = "Outlive is read-only: it shows the history of Jobs and changes nothing in a cluster.";

/** An authenticated request. */
interface KubeRequest {
  readonly scope: Scope;
  readonly reader: string;
  /** The cluster in the URL, if there is one. */
  readonly cluster: string | undefined;
  /** The path without the cluster. */
  readonly path: string;
  readonly open: OpenAnswer;
}

async function answer(context: Context, server: SharedServer, request: KubeRequest): Promise<Response> {
  const read = readPath(request.path);
  if (read.outcome === "refused") return respondStatus(context, read.status);
  const { path } = read;
  const query = new URLSearchParams(requestTarget(context.req.url).query);
  const listed = readListOptions(query, path.resource.plural);
  if (listed.outcome === "refused") return respondStatus(context, listed.status);
  const { scope, reader, open } = request;
  const ports = await server.ports(reader, open.signal);
  const chosen = await chooseKubeCluster({ ports, scope }, request.cluster);
  if ("status" in chosen) return respondStatus(context, chosen.status);
  const most = server.live === undefined ? MOST_IN_LAMBDA : MOST;
  const kubeContext: KubeContext = { ports, scope, reader, cluster: chosen.cluster, now: server.clock(), most };
  const shape = readShape(context.req.header("accept") ?? "", query);
  const question: KubeQuestion = { kubeContext, path, options: listed.options, shape };
  if (listed.options.watch) return answerWatch(context, asWhole(server, open), question);
  const isWhole = listed.options.whole && path.name === undefined && server.live !== undefined;
  return isWhole ? answerWhole(context, open, question) : answerOnce(context, open, question);
}

/** A watch that is answered in one piece lets other answers of the reader be built while it waits. */
function asWhole(server: SharedServer, open: OpenAnswer): SharedServer {
  if (server.live !== undefined) return server;
  return { ...server, pause: (millis, signal) => open.aside(() => server.pause(millis, signal)) };
}

/** A Lambda function can return 6 MB; an object has about 3 kB. */
const MOST_IN_LAMBDA = 1_000;
const MOST = 10_000;

/** kubectl and client-go print such warnings (RFC 7234, 5.5), as from kube-apiserver. */
function incompleteWarning(count: number): string {
  return `Only the first ${count} objects are listed: use a limit, and continue with metadata.continue.`;
}

async function answerOnce(context: Context, open: OpenAnswer, question: KubeQuestion): Promise<Response> {
  const { kubeContext, path, options, shape } = question;
  const found = await answerKubernetes(kubeContext, path, options);
  if (found.outcome === "refused") return respondStatus(context, found.status);
  if (options.whole && found.listing.continueToken !== undefined) {
    context.header("warning", `299 - "${incompleteWarning(found.listing.objects.length)}"`);
  }
  const view = { shape, now: kubeContext.now };
  const body = path.name === undefined ? showList(found.listing, path.resource, view) : showOne(found.listing, view);
  return respondText(context, open.bodyOf(JSON.stringify(body)), JSON_MEDIA_TYPE);
}

const JSON_MEDIA_TYPE = "application/json";

/** A server that streams sends all objects of a list without a limit. */
async function answerWhole(context: Context, open: OpenAnswer, question: KubeQuestion): Promise<Response> {
  const found = await wholeList(question);
  if (found.outcome === "refused") return respondStatus(context, found.status);
  return respondText(context, await open.bodyOfParts(found.parts), JSON_MEDIA_TYPE);
}

type WholeList =
  | { readonly outcome: "listed"; readonly parts: TextParts }
  | Extract<KubeAnswer, { readonly outcome: "refused" }>;

/** Objects that are read at once. Each has about 3 kB. */
const PAGE = 100;
/** The end of a list. Its last field contains objects, or the rows of a Table. */
const END = "]}";

/**
 * A list without a limit, sent while it is read. A client without a limit ignores continue tokens, and would take the
 * first page for everything (KEP-365).
 */
async function wholeList(question: KubeQuestion): Promise<WholeList> {
  const first = await pageAfter(question, undefined);
  if (first.outcome === "refused") return first;
  const { kubeContext, path, shape } = question;
  const empty = JSON.stringify(showList(first.listing.none(), path.resource, { shape, now: kubeContext.now }));
  let { continueToken } = first.listing;
  const nextPage = startingWith<KubeAnswer>(first, () => pageAfter(question, continueToken));
  const nextPart = async (): Promise<ListPart> => {
    const page = await nextPage();
    if (page.outcome === "refused") throw new Error(`Cannot continue the list: ${page.status.message}`);
    ({ continueToken } = page.listing);
    const items = itemsOf(page.listing, { shape, now: kubeContext.now });
    return continueToken === undefined ? { items, end: END } : { items };
  };
  return { outcome: "listed", parts: listText(empty.slice(0, -END.length), nextPart) };
}

function pageAfter(
  { kubeContext, path, options }: KubeQuestion,
  continueToken: string | undefined,
): Promise<KubeAnswer> {
  return answerKubernetes(kubeContext, path, { ...options, whole: false, limit: PAGE, continueToken });
}
