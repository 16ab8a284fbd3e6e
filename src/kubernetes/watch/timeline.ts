/**
 * The epoch that the streams of a capture share. resourceVersions are revisions of etcd, so a restore that one stream
 * detects affects all. Quiet streams would not detect it once the restored cluster has reached their numbers again.
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

  /** Called by a stream of epoch `of` that saw resourceVersions decrease. Only the first call raises the epoch. */
  raise(of: number): void {
    if (of !== this.#epoch) return;
    this.#epoch += 1;
    for (const call of this.#raised) call();
  }

  /** Calls back whenever the epoch rises. The returned function unsubscribes. */
  onRaise(call: () => void): () => void {
    this.#raised.add(call);
    return () => this.#raised.delete(call);
  }
}
