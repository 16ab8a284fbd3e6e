import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Asked, Failed } from "./asked.ts";
import { onChanges } from "./changes.ts";
import { noteAnswer, noteFailure } from "./freshness.ts";
import { session } from "./session.ts";

/** The state of a polled request. The last response stays visible, marked as stale, while later requests fail. */
export type Live<Answer> =
  | { readonly phase: "asking" }
  | { readonly phase: "answered"; readonly answer: Answer; readonly at: number; readonly failure?: Failed | undefined }
  | { readonly phase: "failed"; readonly failure: Failed };

export type Load<Answer> = (signal: AbortSignal) => Promise<Asked<Answer>>;

/** The polling interval in milliseconds. One poll of an open page takes a few reads. */
const LOOK_AGAIN = 10_000;

export interface LiveOptions {
  /** The polling interval in milliseconds. @default LOOK_AGAIN */
  readonly everyMillis?: number;
  /**
   * Whether a change of this Job makes the response outdated. It is then requested again, at most every two
   * seconds.
   */
  readonly isOld?: (job: JobAnswer) => boolean;
}

/**
 * Sends the request now, then periodically while the page is visible, when it becomes visible, and soon after a
 * change.
 * `key` identifies the request.
 */
export function useLive<Answer>(
  key: string,
  load: Load<Answer>,
  options: LiveOptions = {},
): ReadonlySignal<Live<Answer>> {
  const live = useMemo(() => signal<Live<Answer>>({ phase: "asking" }), [key]);
  useEffect(() => keepAsking(live, load, options), [live]);
  return live;
}

function keepAsking<Answer>(
  live: Signal<Live<Answer>>,
  load: Load<Answer>,
  { everyMillis = LOOK_AGAIN, isOld = () => false }: LiveOptions,
): () => void {
  const stop = new AbortController();
  const { signal: stopped } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let asking = false;
  const look = async (): Promise<void> => {
    asking = true;
    clearTimeout(timer);
    const asked = await load(stopped);
    asking = false;
    failures = asked.outcome === "answered" ? 0 : failures + 1;
    live.value = next(live.peek(), asked);
    // Polls a failing server less often, so that it can recover.
    if (!document.hidden) timer = setTimeout(again, everyMillis * Math.min(2 ** failures, MOST_SLOWED));
  };
  const again = (): void => {
    if (!asking) look().catch(ignoreAborted);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(again, SOON);
  };
  document.addEventListener("visibilitychange", () => document.hidden || again(), { signal: stopped });
  addEventListener(ASK_AGAIN, again, { signal: stopped });
  const unsubscribe = session.subscribe((state) => {
    if (state === "open") again();
  });
  const unheard = onChanges((jobs) => {
    if (!document.hidden && jobs.some(isOld)) soon();
  });
  return () => {
    stop.abort();
    clearTimeout(timer);
    unsubscribe();
    unheard();
  };
}

const SOON = 2_000;
const MOST_SLOWED = 6;
const ASK_AGAIN = "outlive:ask-again";

/** Repeats all requests of the page: something changed, or the reader asked for it. */
export function askAgain(): void {
  dispatchEvent(new Event(ASK_AGAIN));
}

function next<Answer>(before: Live<Answer>, asked: Asked<Answer>): Live<Answer> {
  if (asked.outcome === "answered") {
    noteAnswer(asked.at);
    return { phase: "answered", answer: asked.answer, at: asked.at };
  }
  noteFailure(asked);
  return before.phase === "answered" ? { ...before, failure: asked } : { phase: "failed", failure: asked };
}

/** The reader left the view during the request. */
function ignoreAborted(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}
