import type { Instant } from "../../job/model/instant.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { JobChange } from "../../explain/answer-document.ts";
import { encodeFeed, type FeedPosition } from "../../query/changes/changes-cursor.ts";
import { feedFrom, followFeed } from "../../query/changes/follow-feed.ts";
import { isSelected } from "../../query/list/job-filter.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { POLL_MILLIS } from "./long-poll.ts";

/** Changes of one poll. */
export interface ChangeBatch {
  readonly items: readonly JobChange[];
  /** The cursor after them. It names no record without a change that the reader may see. */
  readonly cursorFor: (scope: Scope) => string;
}

export interface ChangeHubDependencies {
  readonly ports: () => Promise<QueryPorts>;
  readonly now: () => Instant;
  /** Resolves to true after this many milliseconds, or to false when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly onError: (error: Error) => void;
}

const PAGE = 500;

/** Reads the changes once for all listeners, however many there are. Reads nothing while there are none. */
export class ChangeHub {
  readonly #dependencies: ChangeHubDependencies;
  readonly #listeners = new Set<(batch: ChangeBatch) => void>();
  #position: FeedPosition | undefined;
  /** The changes of the records that the position lists. */
  #early: ReadonlyMap<string, readonly JobChange[]> = new Map();
  #stop: AbortController | undefined;

  constructor(dependencies: ChangeHubDependencies) {
    this.#dependencies = dependencies;
  }

  /** Calls `listener` with each batch until the signal aborts. An empty batch has a cursor too. */
  listen(listener: (batch: ChangeBatch) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#leave(listener));
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  #leave(listener: (batch: ChangeBatch) => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#stop?.abort();
    this.#stop = undefined;
    this.#position = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let more = false;
    while (more || (await this.#dependencies.pause(POLL_MILLIS, signal))) more = await this.#tick(signal);
  }

  /** Reads one page. Returns whether more is available now. */
  async #tick(signal: AbortSignal): Promise<boolean> {
    const { ports, now, onError } = this.#dependencies;
    try {
      const from = this.#position ?? feedFrom(now() - SETTLED_AFTER_MS);
      const { meta } = await ports();
      const page = await followFeed(meta, { from, now: now(), limit: PAGE, isPrompt: true }, () => true);
      if (signal.aborted) return false;
      const { items, position } = page;
      const known = new Map([...this.#early, ...page.early.map(({ mark, changes }) => [mark, changes] as const)]);
      const early = new Map(position.given.map((mark) => [mark, known.get(mark) ?? []]));
      this.#position = position;
      this.#early = early;
      const batch = { items, cursorFor: (scope: Scope) => cursorFor(scope, position, early) };
      for (const listener of this.#listeners) listener(batch);
      return page.more;
    } catch (error) {
      // After any error of the store, the streams stay open, and the next poll continues at the same cursor.
      onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }
}

function cursorFor(
  scope: Scope,
  { floor, given }: FeedPosition,
  early: ReadonlyMap<string, readonly JobChange[]>,
): string {
  const own = given.filter((mark) => early.get(mark)?.some(({ job }) => isSelected(scope, {}, job)));
  return encodeFeed({ floor, given: own });
}
