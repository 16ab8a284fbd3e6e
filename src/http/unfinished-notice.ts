import type { MetaStore } from "../ports/meta.ts";
import { unfinishedAnswers } from "../upkeep/replay/unfinished-commands.ts";

/** How long the list of unfinished commands is cached: answers mention a new command this much later. */
const KNOWN_FOR_MS = 2_000;

/** Says in every answer that a command has not finished, so that data may be missing. */
export class UnfinishedNotice {
  readonly #meta: MetaStore;
  readonly #now: () => number;
  #known: { readonly warning: string | undefined; readonly readAt: number } | undefined;

  constructor(meta: MetaStore, now: () => number = () => performance.now()) {
    this.#meta = meta;
    this.#now = now;
  }

  /** The value of `Warning` (RFC 7234, 5.5); `undefined` if every command has finished. */
  async warning(): Promise<string | undefined> {
    const now = this.#now();
    if (this.#known !== undefined && now - this.#known.readAt < KNOWN_FOR_MS) return this.#known.warning;
    const unfinished = await unfinishedAnswers(this.#meta);
    const texts = [...new Set(unfinished.map(({ text }) => text))].join(" ");
    const warning = texts === "" ? undefined : `299 outlive "${texts}"`;
    this.#known = { warning, readAt: now };
    return warning;
  }
}
