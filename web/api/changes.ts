import { signal } from "@preact/signals";
import { exponentialBackOff } from "../../src/ports/concurrency/back-off.ts";
import { pause } from "../../src/ports/concurrency/pause.ts";
import type { JobChange } from "../../src/explain/answer-document.ts";
import type { Heartbeat } from "../../src/query/clusters/clusters.ts";
import { ChangePoll, type News, type PolledChanges } from "./change-poll.ts";
import { noteAnswer, noteFailure } from "./freshness.ts";
import { type Parameters, request, urlOf } from "./request.ts";
import { EventLines, type ServerEvent } from "./event-lines.ts";
import { authorization, session } from "./session.ts";

/** The state of the stream of changes. `polling`: the server cannot stream (AWS Lambda). */
export const changeStream = signal<"opening" | "open" | "broken" | "polling">("opening");

/** How recent the data of each cluster is, as of the last poll that asked for it. */
export const heartbeats = signal<readonly Heartbeat[]>([]);

type Listener = (news: News) => void;
const listeners = new Set<Listener>();

export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Pages that lost a server together must not return together. */
const BACK_OFF = exponentialBackOff({ firstMillis: 2_000, maxMillis: 30_000, jitter: "half" });

/** The cursor up to which all changes were received. A new stream continues from here and misses nothing. */
let lastEventId: string | undefined;
let open: AbortController | undefined;

/**
 * Keeps one stream open while the page is visible. A hidden tab closes it: over HTTP/1.1 a browser opens at most six
 * connections to a server, so six hidden tabs would block the seventh.
 */
export function startChangeStream(): void {
  document.addEventListener("visibilitychange", openIfVisible);
  session.subscribe(openIfVisible);
}

function openIfVisible(): void {
  const wanted = !document.hidden && session.peek() === "open";
  if (!wanted) open?.abort();
  else if (open === undefined) void keepOpen();
}

async function keepOpen(): Promise<void> {
  const stop = new AbortController();
  open = stop;
  let retry = 1;
  while (!stop.signal.aborted) {
    const outcome = changeStream.peek() === "polling" ? "unsupported" : await readStream(stop.signal);
    if (outcome === "unsupported") {
      await pollChanges(stop.signal);
      continue;
    }
    retry = outcome === "received" ? 1 : retry + 1;
    await pause(BACK_OFF(retry), stop.signal);
  }
  open = undefined;
  openIfVisible();
}

const POLL_MILLIS = 30_000;
const LATE_MILLIS = 1_000;
const poll = new ChangePoll(Date.now());
let pollAt = Date.now() + POLL_MILLIS;

/** Another periodic request takes the turn of the next poll, except of one that is late because the tab was hidden. */
export function skipPoll(): void {
  if (Date.now() - pollAt < LATE_MILLIS) pollAt += POLL_MILLIS;
}

/** Polls while the page is visible. A tab that was hidden for longer than the interval polls at once. */
async function pollChanges(stop: AbortSignal): Promise<void> {
  while (await pause(Math.max(0, pollAt - Date.now()), stop)) {
    if (pollAt > Date.now()) continue;
    const parameters = poll.next(Date.now());
    const news = parameters === undefined ? "missed" : await pollOnce(parameters, stop);
    if (news === undefined) return;
    pollAt = Date.now() + POLL_MILLIS;
    tell(news);
  }
}

/** `undefined` if the tab was hidden meanwhile. */
async function pollOnce(parameters: Parameters, stop: AbortSignal): Promise<News | undefined> {
  try {
    const result = await request<PolledChanges>("changes", parameters, stop);
    if (result.outcome === "answered") {
      noteAnswer(result.at);
      heartbeats.value = result.answer.heartbeats ?? heartbeats.peek();
    } else {
      noteFailure(result);
    }
    return poll.take(result, Date.now());
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

const NO_STREAMS: ReadonlySet<number> = new Set([404, 406]);
const BAD_CURSOR: ReadonlySet<number> = new Set([400, 410]);

/** Reads one stream until it ends. */
async function readStream(stop: AbortSignal): Promise<"received" | "nothing" | "unsupported"> {
  let outcome: "received" | "nothing" = "nothing";
  try {
    const response = await fetch(urlOf("changes", {}), {
      headers: {
        accept: "text/event-stream",
        ...authorization(),
        ...(lastEventId && { "last-event-id": lastEventId }),
      },
      signal: stop,
      cache: "no-store",
    });
    if (NO_STREAMS.has(response.status)) {
      changeStream.value = "polling";
      return "unsupported";
    }
    if (BAD_CURSOR.has(response.status)) beginAgain();
    if (!response.ok || response.body === null) return outcome;
    const lines = new EventLines();
    changeStream.value = "open";
    for await (const text of textOf(response.body)) {
      outcome = "received";
      take(lines.take(text));
    }
  } catch {
    // The network, the server or the reader ended the stream. The caller reconnects.
  }
  if (!stop.aborted) changeStream.value = "broken";
  return outcome;
}

/** The cursor is invalid or too old. */
function beginAgain(): void {
  lastEventId = undefined;
  tell("missed");
}

async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function take(events: readonly ServerEvent[]): void {
  const jobs = events.flatMap(({ event, data }) => (event === "change" ? [(JSON.parse(data) as JobChange).job] : []));
  if (jobs.length > 0) tell(jobs);
  lastEventId = events.findLast(({ id }) => id !== undefined)?.id ?? lastEventId;
}

function tell(news: News): void {
  for (const listener of listeners) listener(news);
}
