import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { ApiResult, Failed } from "./api-result.ts";
import { onChanges } from "./changes.ts";
import { noteAnswer, noteFailure } from "./freshness.ts";
import { session } from "./session.ts";

/** The state of a polled request. The last response stays visible, marked as stale, while later requests fail. */
export type Live<Answer> =
  | { readonly phase: "loading" }
  | { readonly phase: "answered"; readonly answer: Answer; readonly at: number; readonly failure?: Failed | undefined }
  | { readonly phase: "failed"; readonly failure: Failed };

export type Load<Answer> = (signal: AbortSignal) => Promise<ApiResult<Answer>>;

/** The default polling interval. One poll of an open page takes a few reads. */
const POLL_MILLIS = 10_000;
/** How long a change waits for further changes. */
const CHANGE_DELAY_MILLIS = 2_000;
/** A failing server is polled less often, down to this fraction, so that it can recover. */
const MAX_SLOWDOWN = 6;
const REFRESH = "outlive:refresh";

export interface LiveOptions {
  /** The polling interval in milliseconds. @default POLL_MILLIS */
  readonly everyMillis?: number;
  /** Whether a change of this Job makes the response outdated. It is then requested again after two seconds. */
  readonly isOld?: (job: JobAnswer) => boolean;
  /**
   * For a caller that applies changes itself. Whether an answered request is repeated after the interval, or because
   * changes were missed. @default always
   */
  readonly repeats?: (why: "missed" | "interval") => boolean;
  /** The least time between an answer and a request because of changes, in milliseconds. @default none */
  readonly restMillis?: number;
}

/**
 * Sends the request now, then periodically while the page is visible, when it becomes visible, and soon after a change.
 * `key` identifies the request.
 */
export function useLive<Answer>(
  key: string,
  load: Load<Answer>,
  options: LiveOptions = {},
): ReadonlySignal<Live<Answer>> {
  const live = useMemo(() => signal<Live<Answer>>({ phase: "loading" }), [key]);
  useEffect(() => {
    const poller = new Poller(live, load, options);
    poller.start();
    return () => poller.stop();
  }, [live]);
  return live;
}

/** Repeats all requests of the page. */
export function refresh(): void {
  dispatchEvent(new Event(REFRESH));
}

/** Sends one request again and again. */
export class Poller<Answer> {
  readonly #live: Signal<Live<Answer>>;
  readonly #load: Load<Answer>;
  readonly #options: LiveOptions;
  readonly #abort = new AbortController();
  #unsubscribe: readonly (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isLoading = false;
  /** What to do after the current request, whose answer may be older than a change. */
  #afterwards: (() => void) | undefined;

  constructor(live: Signal<Live<Answer>>, load: Load<Answer>, options: LiveOptions) {
    this.#live = live;
    this.#load = load;
    this.#options = options;
  }

  /** Sends the first request at once, because the session's subscription reports its current state. */
  start(): void {
    const { signal: stopped } = this.#abort;
    const { isOld = () => false, repeats = () => this.#options.isOld !== undefined } = this.#options;
    document.addEventListener("visibilitychange", () => document.hidden || this.#pollIfOld(), { signal: stopped });
    addEventListener(REFRESH, () => this.#whenLoaded(() => this.#poll()), { signal: stopped });
    this.#unsubscribe = [
      session.subscribe((state) => {
        if (state === "open") this.#poll();
      }),
      onChanges((news) => {
        const isNews = news === "missed" ? repeats(news) : news.some(isOld);
        if (document.hidden || !isNews) return;
        this.#whenLoaded(() => this.#pollAfter(Math.max(CHANGE_DELAY_MILLIS, this.#restLeft())));
      }),
    ];
  }

  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #poll(): void {
    if (!this.#isLoading) this.#loadNow().catch(ignoreAborted);
  }

  #whenLoaded(run: () => void): void {
    if (this.#isLoading) this.#afterwards = run;
    else run();
  }

  #pollAfter(millis: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => document.hidden || this.#poll(), millis);
  }

  #restLeft(): number {
    const live = this.#live.peek();
    return live.phase === "answered" ? live.at + (this.#options.restMillis ?? 0) - Date.now() : 0;
  }

  #pollIfOld(): void {
    const { repeats = () => true } = this.#options;
    if (this.#failures > 0 || this.#live.peek().phase !== "answered" || repeats("interval")) this.#poll();
    else this.#pollLater();
  }

  #pollLater(): void {
    clearTimeout(this.#timer);
    const { everyMillis = POLL_MILLIS } = this.#options;
    const millis = everyMillis * Math.min(2 ** this.#failures, MAX_SLOWDOWN);
    this.#timer = setTimeout(() => document.hidden || this.#pollIfOld(), millis);
  }

  async #loadNow(): Promise<void> {
    this.#isLoading = true;
    clearTimeout(this.#timer);
    const result = await this.#load(this.#abort.signal);
    this.#isLoading = false;
    this.#failures = result.outcome === "answered" ? 0 : this.#failures + 1;
    this.#live.value = next(this.#live.peek(), result);
    const afterwards = this.#afterwards;
    this.#afterwards = undefined;
    if (!document.hidden) (afterwards ?? (() => this.#pollLater()))();
  }
}

function next<Answer>(before: Live<Answer>, result: ApiResult<Answer>): Live<Answer> {
  if (result.outcome === "answered") {
    noteAnswer(result.at);
    return { phase: "answered", answer: result.answer, at: result.at };
  }
  noteFailure(result);
  return before.phase === "answered" ? { ...before, failure: result } : { phase: "failed", failure: result };
}

/** The reader left the view during the request. */
function ignoreAborted(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}
