import type { Instant } from "../model/instant.ts";
import type { Order, ResourceVersion } from "../model/order.ts";

/** The success that made the Job complete. */
export interface CompletingSuccess {
  readonly order: Order;
  /** When all that it took had ended, by the containers' own account. */
  readonly at: Instant;
}

/**
 * Successes in any order of arrival, as numbers: 32 bytes each, so that the one that completed a Job is found among a
 * million.
 */
export class Successes {
  readonly #epochs: number[] = [];
  readonly #resourceVersions: ResourceVersion[] = [];
  readonly #endedAt: Instant[] = [];
  readonly #pieces: number[] = [];

  /** `piece`: the index, of which only the first success counts; none where each Pod counts. */
  add({ epoch, resourceVersion }: Order, endedAt: Instant, piece: number | undefined): void {
    this.#epochs.push(epoch);
    this.#resourceVersions.push(resourceVersion);
    this.#endedAt.push(endedAt);
    this.#pieces.push(piece ?? -1);
  }

  /** The success number `completions` by order; `undefined` where there are not so many. */
  completing(completions: number): CompletingSuccess | undefined {
    if (completions < 1 || this.#pieces.length < completions) return undefined;
    const done = new Set<number>();
    let counted = 0;
    let at = 0;
    for (const place of this.#inOrder()) {
      const piece = this.#pieces[place] ?? -1;
      if (done.has(piece)) continue;
      if (piece >= 0) done.add(piece);
      counted += 1;
      at = Math.max(at, this.#endedAt[place] ?? 0);
      if (counted === completions) return this.#completedBy(place, at);
    }
    return undefined;
  }

  #completedBy(place: number, at: Instant): CompletingSuccess | undefined {
    const resourceVersion = this.#resourceVersions[place];
    return resourceVersion && { order: { epoch: this.#epochs[place] ?? 0, resourceVersion }, at };
  }

  #inOrder(): Uint32Array {
    const places = Uint32Array.from(this.#pieces.keys());
    return places.sort(
      (a, b) =>
        compareAt(this.#epochs, a, b) ||
        compareAt(this.#resourceVersions, a, b) ||
        // No two Pods have one resourceVersion; where a source says so, the same answer is given in whatever order they
        // come.
        compareAt(this.#endedAt, a, b) ||
        compareAt(this.#pieces, a, b),
    );
  }
}

function compareAt(numbers: readonly number[], a: number, b: number): number {
  return (numbers[a] ?? 0) - (numbers[b] ?? 0);
}
