export interface TokenBucketOptions {
  /** Tokens that each bucket regains per second. */
  readonly perSecond: number;
  /** Tokens of a full bucket, and of the largest debt. */
  readonly most: number;
  /** Milliseconds, of any origin. */
  readonly now: () => number;
}

/** A full bucket is forgotten. Beyond this number of buckets, all that are known are checked for full ones. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  /** Negative: a debt. */
  tokens: number;
  at: number;
}

/** A token bucket for each key. The cost of work may be known only at its end, so a bucket may have a debt. */
export class TokenBuckets {
  readonly #options: TokenBucketOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: TokenBucketOptions) {
    this.#options = options;
  }

  /** Milliseconds until the bucket of this key has a token; 0 if it has one now. */
  waitMillis(key: string): number {
    const missing = 1 - this.#bucketOf(key).tokens;
    return missing <= 0 ? 0 : (missing / this.#options.perSecond) * 1_000;
  }

  take(key: string, tokens: number): void {
    const bucket = this.#bucketOf(key);
    bucket.tokens = Math.max(-this.#options.most, bucket.tokens - tokens);
  }

  #bucketOf(key: string): Bucket {
    const at = this.#options.now();
    const known = this.#buckets.get(key);
    const bucket = { tokens: known === undefined ? this.#options.most : this.#tokensAt(known, at), at };
    if (known === undefined && this.#buckets.size >= MAX_BUCKETS) this.#forgetFull(at);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** A clock that was set back gives no tokens. */
  #tokensAt({ tokens, at }: Bucket, now: number): number {
    const gained = (Math.max(0, now - at) / 1_000) * this.#options.perSecond;
    return Math.min(this.#options.most, tokens + gained);
  }

  #forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.#tokensAt(bucket, now) >= this.#options.most) this.#buckets.delete(key);
    }
  }
}
