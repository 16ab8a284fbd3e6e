import type { Instant } from "../model/instant.ts";
import type { Order, ResourceVersion } from "../model/order.ts";

/** The success that made the Job complete. */
export interface CompletingSuccess {
  readonly order: Order;
  /** When all counted Pods had ended, by their container statuses. */
  readonly at: Instant;
}

/**
 * Collects successes in any order. Each takes 32 bytes, so that the success that completed a Job can be found among a
 * million.
 */
export class Successes {
  readonly #epochs: number[] = [];
  readonly #resourceVersions: ResourceVersion[] = [];
  readonly #endedAt: Instant[] = [];
  readonly #pieces: number[] = [];

  /** `piece` is the index, of which only the first success counts; `undefined` if each Pod counts. */
  add({ epoch, resourceVersion }: Order, endedAt: Instant, piece: number | undefined): void {
    this.#epochs.push(epoch);
    this.#resourceVersions.push(resourceVersion);
    this.#endedAt.push(endedAt);
    this.#pieces.push(piece ?? -1);
  }

  /** The success number `completions` by order; `undefined` if there are fewer successes. */
  completing(completions: number): CompletingSuccess | undefined {
    if (completions < 1 || this.#pieces.length < completions) return undefined;
    const done = new Set<number>();
    let counted = 0;
    let at = 0;
    for (const entry of this.#inOrder()) {
      const piece = this.#pieces[entry] ?? -1;
      if (done.has(piece)) continue;
      if (piece >= 0) done.add(piece);
      counted += 1;
      at = Math.max(at, this.#endedAt[entry] ?? 0);
      if (counted === completions) return this.#completedBy(entry, at);
    }
    return undefined;
  }

  #completedBy(entry: number, at: Instant): CompletingSuccess | undefined {
    const resourceVersion = this.#resourceVersions[entry];
    return resourceVersion && { order: { epoch: this.#epochs[entry] ?? 0, resourceVersion }, at };
  }

  #inOrder(): Uint32Array {
    const entries = Uint32Array.from(this.#pieces.keys());
    return entries.sort(
      (a, b) =>
        compareAt(this.#epochs, a, b) ||
        compareAt(this.#resourceVersions, a, b) ||
        // No two Pods share a resourceVersion. If a source contains that, the order still does not matter.
        compareAt(this.#endedAt, a, b) ||
        compareAt(this.#pieces, a, b),
    );
  }
}

function compareAt(numbers: readonly number[], a: number, b: number): number {
  return (numbers[a] ?? 0) - (numbers[b] ?? 0);
}
