const FIRST_CAPACITY = 4096;

/** A growing buffer with a limit. Beyond the limit it drops the bytes and only records that the limit was exceeded. */
export class GrowingBytes {
  readonly #maxBytes: number;
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;
  #isOverLimit = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether more was appended than the limit allows. */
  get isOverLimit(): boolean {
    return this.#isOverLimit;
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    if (this.#isOverLimit) return;
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes) {
      this.clear();
      this.#isOverLimit = true;
      return;
    }
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** The last `count` bytes as text, or fewer where there are fewer. */
  tail(count: number): string {
    return this.#bytes.toString("utf8", Math.max(0, this.#length - count), this.#length);
  }

  text(): string {
    return this.#bytes.toString("utf8", 0, this.#length);
  }

  clear(): void {
    if (this.#bytes.length > FIRST_CAPACITY) this.#bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
    this.#length = 0;
    this.#isOverLimit = false;
  }
}
