import type { Instant } from "../../job/model/instant.ts";
import { followChanges, type JobChange } from "../../query/changes/changes.ts";
import { followFrom, type FollowPosition } from "../../query/changes/follow-position.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { POLL_MILLIS } from "./long-poll.ts";

/** The changes of one poll, and the position after them, from which each reader gets its own cursor. */
export interface ChangeBatch {
  readonly items: readonly JobChange[];
  readonly position: FollowPosition;
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
  #position: FollowPosition | undefined;
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
      const position = this.#position ?? followFrom(now() - SETTLED_AFTER_MS);
      const query = { filter: {}, limit: PAGE, now: now(), position, isPrompt: true };
      const page = await followChanges(await ports(), "everything", query);
      if (signal.aborted) return false;
      this.#position = page.position;
      for (const listener of this.#listeners) listener({ items: page.items, position: page.position });
      return page.more;
    } catch (error) {
      // After any error of the store, the streams stay open, and the next poll continues at the same cursor.
      onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }
}
