/** A result, and when its read began. */
export interface SharedRead<Result> {
  readonly result: Result;
  /** Greater than the {@link SharedReads.mark} of every caller that came before the read began. */
  readonly begunAt: number;
}

export interface SharedReadsOptions<Result> {
  /** Whether a result is still valid some time after its read has ended. */
  readonly mayKeep: (result: Result) => boolean;
  /** The most results that are kept. */
  readonly most: number;
  /** Forgets a result some time after its read has ended. @default after 10 seconds */
  readonly later?: (forget: () => void) => void;
}

const KEEP_MILLIS = 10_000;

/**
 * Reads once for all callers that ask for the same data at about the same time. Callers that are behind get recent
 * results of others. Once they have caught up, they share new reads.
 */
export class SharedReads<Result> {
  readonly #options: SharedReadsOptions<Result>;
  readonly #reads = new Map<string, Promise<SharedRead<Result>>>();
  #count = 0;

  constructor(options: SharedReadsOptions<Result>) {
    this.#options = options;
  }

  /** A read that begins after this call has a greater `begunAt`. */
  mark(): number {
    this.#count += 1;
    return this.#count;
  }

  /** The result of `read`, or of a read of the same name that another caller has begun. */
  run(name: string, read: () => Promise<Result>): Promise<SharedRead<Result>> {
    const known = this.#reads.get(name);
    if (known !== undefined) return known;
    const begunAt = this.mark();
    const begun = read().then((result) => ({ result, begunAt }));
    this.#reads.set(name, begun);
    begun.then(
      ({ result }) => this.#ended(name, this.#options.mayKeep(result)),
      () => this.#ended(name, false),
    );
    return begun;
  }

  #ended(name: string, isKept: boolean): void {
    const { most, later = forgetLater } = this.#options;
    if (!isKept) this.#reads.delete(name);
    else later(() => this.#reads.delete(name));
    const [oldest] = this.#reads.keys();
    if (this.#reads.size > most && oldest !== undefined) this.#reads.delete(oldest);
  }
}

function forgetLater(forget: () => void): void {
  setTimeout(forget, KEEP_MILLIS).unref();
}
