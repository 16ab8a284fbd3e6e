import type { JobChange } from "../../explain/answer-document.ts";

/** Stores changes durably. */
export type AppendChanges = (changes: readonly JobChange[]) => Promise<void>;

interface Waiting {
  readonly change: JobChange;
  readonly done: (failed?: { readonly cause: unknown }) => void;
}

/**
 * Announces changes before the states with these changes are written. If a projector is killed in between, the changes
 * are announced again, and none is lost. The changes of Jobs that are projected concurrently share a write, which
 * begins when all of these Jobs wait for it.
 */
export class ChangeAnnouncer {
  readonly #append: AppendChanges;
  #working = 0;
  readonly #waiting: Waiting[] = [];

  constructor(append: AppendChanges) {
    this.#append = append;
  }

  /** Does work that may announce changes. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#flush();
    }
  }

  /** Announces what `changeOf` returns, if anything. */
  async announceIfAny(changeOf: () => JobChange | undefined): Promise<void> {
    const change = changeOf();
    if (change !== undefined) await this.announce(change);
  }

  /** Resolves when the change is stored. Call it during work. */
  async announce(change: JobChange): Promise<void> {
    const announced = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ change, done: (failed) => (failed === undefined ? resolve() : reject(failed.cause)) });
    });
    this.#flush();
    return announced;
  }

  #flush(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#working) return;
    void this.#write(this.#waiting.splice(0));
  }

  async #write(waiting: readonly Waiting[]): Promise<void> {
    try {
      await this.#append(waiting.map(({ change }) => change));
      for (const { done } of waiting) done();
    } catch (cause) {
      // Each Job fails separately: its segments are projected again.
      for (const { done } of waiting) done({ cause });
    }
  }
}
