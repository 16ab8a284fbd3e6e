export interface TokenBucketOptions {
  /** Tokens that each bucket regains per second. A bucket holds twice as many. */
  readonly perSecond: number;
  /** Milliseconds, of any origin. */
  readonly now: () => number;
}

/** A full bucket is forgotten. Beyond this number of buckets, all that are known are checked for full ones. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket for each key: a rate with bursts. */
export class TokenBuckets {
  readonly #options: TokenBucketOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: TokenBucketOptions) {
    this.#options = options;
  }

  /** Takes a token of this key, or returns false where none is left. */
  take(key: string): boolean {
    const bucket = this.#bucketOf(key);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  #bucketOf(key: string): Bucket {
    const at = this.#options.now();
    const known = this.#buckets.get(key);
    const bucket = { tokens: known === undefined ? this.#most : this.#tokensAt(known, at), at };
    if (known === undefined && this.#buckets.size >= MAX_BUCKETS) this.#forgetFull(at);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  get #most(): number {
    return 2 * this.#options.perSecond;
  }

  /** A clock that was set back gives no tokens. */
  #tokensAt({ tokens, at }: Bucket, now: number): number {
    const gained = (Math.max(0, now - at) / 1_000) * this.#options.perSecond;
    return Math.min(this.#most, tokens + gained);
  }

  #forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.#tokensAt(bucket, now) >= this.#most) this.#buckets.delete(key);
    }
  }
}
