import type { Context } from "hono";
import { Semaphore } from "../../../ports/concurrency/semaphore.ts";
import type { LiveAnswers } from "../../contract/route.ts";
import type { KubeContext } from "../kube-context.ts";
import type { KubeListOptions, KubePath } from "../kube-request.ts";
import type { KubeShape } from "../kube-shape.ts";
import { kubeStatus } from "../kube-status.ts";
import { startOfWatch } from "./kube-watch.ts";
import { respondStatus } from "../respond-kubernetes.ts";
import { runWatch, type WatchRun } from "./run-watch.ts";
import type { SharedServer } from "../../optional-api.ts";

/** A parsed request: what to list or watch, for which reader, and in which shape. */
export interface KubeQuestion {
  readonly kubeContext: KubeContext;
  readonly path: KubePath;
  readonly options: KubeListOptions;
  readonly shape: KubeShape;
}

/** Watches in a Lambda function end before the 29 s limit of API Gateway. Clients then watch again. */
const LAMBDA_WATCH_SECONDS = 20;
const MAX_WATCH_SECONDS = 3_600;
const MILLIS = 1_000;

/** Answers a watch: as a stream, or in a Lambda function with all events of its duration at once. */
export async function answerWatch(context: Context, server: SharedServer, question: KubeQuestion): Promise<Response> {
  const { kubeContext, path, options, shape } = question;
  const start = await startOfWatch(kubeContext, { path, options });
  if (start.outcome === "refused") return respondStatus(context, start.status);
  const { live, clock } = server;
  const longest = live === undefined ? LAMBDA_WATCH_SECONDS : MAX_WATCH_SECONDS;
  const watch: PlannedWatch = {
    target: { path, options },
    start,
    shape,
    clock,
    endsAt: clock() + Math.min(options.timeoutSeconds ?? longest, longest) * MILLIS,
    context: async () => ({ ...kubeContext, ports: await server.ports(kubeContext.reader), now: clock() }),
  };
  return live === undefined
    ? sendWhole(context, server, watch)
    : sendStream(context, { pause: server.pause, live, reader: kubeContext.reader }, watch);
}

type PlannedWatch = Omit<WatchRun, "turns" | "room" | "send" | "pause">;

async function sendWhole(context: Context, { pause }: SharedServer, watch: PlannedWatch): Promise<Response> {
  const lines: string[] = [];
  const { signal } = context.req.raw;
  await runWatch({
    ...watch,
    turns: new Semaphore(1),
    room: async () => true,
    send: (line) => lines.push(line) > 0,
    pause: (millis) => pause(millis, signal),
  });
  return context.body(lines.join(""), { headers: JSON_STREAM });
}

interface Streaming extends Pick<SharedServer, "pause"> {
  readonly live: LiveAnswers;
  readonly reader: string;
}

function sendStream(context: Context, { pause, live, reader }: Streaming, watch: PlannedWatch): Response {
  const stream = live.streams.open(reader);
  if (stream === undefined) return respondStatus(context, kubeStatus("ServiceUnavailable", TOO_MANY));
  const { ended } = stream;
  runWatch({
    ...watch,
    turns: live.streams.turnsOf(reader),
    room: () => stream.room(),
    send: (line) => stream.send(line),
    pause: (millis) => pause(millis, ended),
  })
    .catch((error: unknown) => live.onError(error instanceof Error ? error : new Error(String(error))))
    .finally(() => stream.end());
  return context.body(stream.body, { headers: { ...JSON_STREAM, "x-accel-buffering": "no" } });
}

const TOO_MANY = "Too many watches are open. Close some of yours, or list instead.";
const JSON_STREAM = { "content-type": "application/json" };
