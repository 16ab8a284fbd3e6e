import { signal } from "@preact/signals";
import { exponentialBackOff } from "../../src/ports/concurrency/back-off.ts";
import { pause } from "../../src/ports/concurrency/pause.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { JobChange } from "../../src/explain/answer-document.ts";
import { urlOf } from "./request.ts";
import { EventLines, type ServerEvent } from "./event-lines.ts";
import { authorization, session } from "./session.ts";

/** The state of the stream of changes. `unsupported`: the server cannot stream (AWS Lambda), so the page only polls. */
export const changeStream = signal<"opening" | "open" | "broken" | "unsupported">("opening");

type Listener = (jobs: readonly JobAnswer[]) => void;
const listeners = new Set<Listener>();

/** Calls `listener` with Jobs whose verdict, findings or existence changed, as lists show them. */
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
    const outcome = await readStream(stop.signal);
    // `open` stays set, so that no further stream is opened.
    if (outcome === "unsupported") return;
    retry = outcome === "received" ? 1 : retry + 1;
    await pause(BACK_OFF(retry), stop.signal);
  }
  open = undefined;
  openIfVisible();
}

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
    if (response.status === 406 || response.status === 404) {
      changeStream.value = "unsupported";
      return "unsupported";
    }
    // The cursor is invalid or too old. Start at the present, because the page loads whole lists anyway.
    if (response.status === 400) lastEventId = undefined;
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
  if (jobs.length > 0) for (const listener of listeners) listener(jobs);
  lastEventId = events.findLast(({ id }) => id !== undefined)?.id ?? lastEventId;
}
