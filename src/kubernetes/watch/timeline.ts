/**
 * The epoch that a capture's streams share. resourceVersions are revisions of etcd, so that what one stream notices holds for all: those that were quiet
 * would find nothing amiss once the restored cluster has caught up with the numbers they know.
 */
export class Timeline {
  readonly #raised = new Set<() => void>();
  #epoch: number;

  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** A stream of epoch `of` has seen the numbers go back. Only the first to notice raises the epoch. */
  raise(of: number): void {
    if (of !== this.#epoch) return;
    this.#epoch += 1;
    for (const call of this.#raised) call();
  }

  /** Calls whenever the epoch rises. The answer takes the call back. */
  onRaise(call: () => void): () => void {
    this.#raised.add(call);
    return () => this.#raised.delete(call);
  }
}
