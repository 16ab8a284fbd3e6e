import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Asked, Failed } from "./asked.ts";
import { onChanges } from "./changes.ts";
import { noteAnswer, noteFailure } from "./freshness.ts";
import { session } from "./session.ts";

/** What is known of an answer that is asked for again and again. The last answer stays while a later question fails: stale is better than nothing, and said. */
export type Live<Answer> =
  | { readonly phase: "asking" }
  | { readonly phase: "answered"; readonly answer: Answer; readonly at: number; readonly failure?: Failed | undefined }
  | { readonly phase: "failed"; readonly failure: Failed };

export type Load<Answer> = (signal: AbortSignal) => Promise<Asked<Answer>>;

/** How often the page looks again, in milliseconds. Each look of one open page is a handful of reads. */
const LOOK_AGAIN = 10_000;

export interface LiveOptions {
  /** How often to ask in any case, in milliseconds. @default LOOK_AGAIN */
  readonly everyMillis?: number;
  /** A change of this Job makes the answer old: it is asked for anew, at most every two seconds. */
  readonly isOld?: (job: JobAnswer) => boolean;
}

/** Asks now, again every so often while the page is seen, at once when it is seen again, and soon after a change. `key` is the question: another key is another question. */
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
    // A server that fails is asked less and less often, so that it can get up.
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

/** Everything on the page is asked for again: a change was heard of, or the reader wants it. */
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

/** The view was left while its question was under way. */
function ignoreAborted(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}
