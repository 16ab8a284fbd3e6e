import { signal } from "@preact/signals";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { JobChange } from "../../src/query/changes/changes.ts";
import { urlOf } from "./ask.ts";
import { EventLines, type ServerEvent } from "./event-lines.ts";
import { authorization, session } from "./session.ts";

/** How the page receives changes: from the stream, or by polling where responses cannot be streamed (AWS Lambda). */
export const hearing = signal<"opening" | "stream" | "broken" | "asking">("opening");

type Listener = (jobs: readonly JobAnswer[]) => void;
const listeners = new Set<Listener>();

/** Calls `listener` with Jobs whose verdict, findings or existence changed, as lists show them. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** The cursor up to which all changes were received. A new stream continues from here and misses nothing. */
let heardUpTo: string | undefined;
let open: AbortController | undefined;

/**
 * Keeps one stream open while the page is visible. A hidden tab closes it: over HTTP/1.1 a browser opens at most six
 * connections to a server, so six hidden tabs would block the seventh.
 */
export function startHearing(): void {
  document.addEventListener("visibilitychange", hearIfSeen);
  session.subscribe(hearIfSeen);
}

function hearIfSeen(): void {
  const wanted = !document.hidden && session.peek() === "open";
  if (!wanted) open?.abort();
  else if (open === undefined) void keepHearing();
}

async function keepHearing(): Promise<void> {
  const stop = new AbortController();
  open = stop;
  let pause = FIRST_PAUSE;
  let streams = true;
  while (streams && !stop.signal.aborted) {
    const outcome = await hear(stop.signal);
    streams = outcome !== "noStreams";
    pause = outcome === "heard" ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, pause * 2);
    if (streams) await waited(pause, stop.signal);
  }
  // A server without streams is not asked again: `open` stays set.
  if (!streams) return;
  open = undefined;
  hearIfSeen();
}

/** Reads one stream until it ends. */
async function hear(stop: AbortSignal): Promise<"heard" | "nothing" | "noStreams"> {
  let outcome: "heard" | "nothing" = "nothing";
  try {
    const response = await fetch(urlOf("changes", {}), {
      headers: { accept: "text/event-stream", ...authorization(), ...(heardUpTo && { "last-event-id": heardUpTo }) },
      signal: stop,
      cache: "no-store",
    });
    if (response.status === 406 || response.status === 404) {
      hearing.value = "asking";
      return "noStreams";
    }
    // The cursor is invalid or too old. Start at the present, because the page loads whole lists anyway.
    if (response.status === 400) heardUpTo = undefined;
    if (!response.ok || response.body === null) return outcome;
    const lines = new EventLines();
    hearing.value = "stream";
    for await (const text of textOf(response.body)) {
      outcome = "heard";
      take(lines.take(text));
    }
  } catch {
    // The network, the server or the reader ended the stream. The caller reconnects.
  }
  if (!stop.aborted) hearing.value = "broken";
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
  heardUpTo = events.findLast(({ id }) => id !== undefined)?.id ?? heardUpTo;
}

function waited(millis: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
