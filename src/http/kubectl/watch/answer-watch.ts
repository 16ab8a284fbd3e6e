import type { Context } from "hono";
import type { Instant } from "../../../job/model/instant.ts";
import { Semaphore } from "../../../ports/concurrency/semaphore.ts";
import type { LiveAnswers } from "../../contract/route.ts";
import type { SharedServer } from "../../optional-api.ts";
import { POLL_MILLIS } from "../../streams/long-poll.ts";
import type { KubeContext, KubeQuestion } from "../kube-context.ts";
import { type KubeShape, showBookmark, showEvent } from "../kube-shape.ts";
import { kubeStatus, respondStatus } from "../kube-status.ts";
import { existing, isFollowed, type KubeWatchTarget, news, type StartedWatch, startOfWatch } from "./kube-watch.ts";
import type { KubeWatchEvent } from "./relisted-watch.ts";

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
    pollMillis: isFollowed(path) ? POLL_MILLIS : RELIST_MILLIS,
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
    // All events are sent together, so one read at the end has them all.
    pollMillis: Number.POSITIVE_INFINITY,
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

interface WatchRun {
  readonly target: KubeWatchTarget;
  readonly start: StartedWatch;
  readonly shape: KubeShape;
  /** The context with the current time, for each poll. */
  readonly context: () => Promise<KubeContext>;
  readonly clock: () => Instant;
  readonly endsAt: Instant;
  readonly pollMillis: number;
  /** Sends a line. Returns false if the client is gone. */
  readonly send: (line: string) => boolean;
  /** Waits until a line can be sent. Resolves to false if the client is gone. */
  readonly room: () => Promise<boolean>;
  /** Limits how many watches of one reader read the store at the same time. */
  readonly turns: Semaphore;
  /** Waits for the next poll. Resolves to false if the client is gone. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
}

/** Listing all objects again costs more than reading new log items. */
const RELIST_MILLIS = 5_000;
/** Interval of bookmarks, as in kube-apiserver. */
const BOOKMARK_MILLIS = 60_000;

/** Sends the existing objects, if requested, and then changes until the watch times out or the client is gone. */
async function runWatch(run: WatchRun): Promise<void> {
  const sender = new Sender(run);
  const { target, start, context, clock, endsAt, pollMillis, pause } = run;
  if (start.withExisting && !(await sender.sendAll(existing(await context(), start, target)))) return;
  if (target.options.initialEvents) sender.bookmark(true);
  let bookmarkedAt = clock();
  do {
    if (!(await sender.sendAll(news(await context(), start, target)))) return;
    if (target.options.bookmarks && clock() - bookmarkedAt >= BOOKMARK_MILLIS) {
      sender.bookmark(false);
      bookmarkedAt = clock();
    }
  } while (clock() < endsAt && (await pause(Math.min(pollMillis, endsAt - clock()))));
}

class Sender {
  readonly #run: WatchRun;
  #isFirst = true;

  constructor(run: WatchRun) {
    this.#run = run;
  }

  /** Returns false if the client is gone. */
  async sendAll(events: AsyncGenerator<KubeWatchEvent>): Promise<boolean> {
    const { shape, clock, room, send, turns } = this.#run;
    while (await room()) {
      const next = await turns.run(() => events.next());
      if (next.done === true) return true;
      if (!send(showEvent(next.value, { shape, now: clock(), headers: this.#isFirst }))) return false;
      this.#isFirst = false;
    }
    return false;
  }

  bookmark(ends: boolean): void {
    const { target, shape, clock, send } = this.#run;
    send(showBookmark(target.path.resource, { shape, now: clock() }, ends));
  }
}
