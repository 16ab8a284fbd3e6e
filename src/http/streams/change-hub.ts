import type { Instant } from "../../job/model/instant.ts";
import { type JobChange, listChanges } from "../../query/changes/changes.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { POLL_MILLIS } from "./long-poll.ts";

/** Changes of one poll, and the cursor after them. */
export interface ChangeBatch {
  readonly items: readonly JobChange[];
  readonly cursor: string;
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
  #cursor: string | undefined;
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
    this.#cursor = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let more = false;
    while (more || (await this.#dependencies.pause(POLL_MILLIS, signal))) more = await this.#tick(signal);
  }

  /** Reads one page. Returns whether more is available now. */
  async #tick(signal: AbortSignal): Promise<boolean> {
    const { ports, now, onError } = this.#dependencies;
    try {
      const query = { filter: {}, limit: PAGE, now: now(), cursor: this.#cursor };
      const page = await listChanges(await ports(), "everything", query);
      if (page.outcome === "badCursor" || signal.aborted) return false;
      this.#cursor = page.nextCursor;
      for (const listener of this.#listeners) listener({ items: page.items, cursor: page.nextCursor });
      return page.more;
    } catch (error) {
      // After any error of the store, the streams stay open, and the next poll continues at the same cursor.
      onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }
}
