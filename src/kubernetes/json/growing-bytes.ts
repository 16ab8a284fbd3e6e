const FIRST_CAPACITY = 4096;

/** Bytes that are appended to, up to a bound: beyond it they are let go and only the fact remains. */
export class GrowingBytes {
  readonly #maxBytes: number;
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;
  #isOver = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** More was appended than the bound allows. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    if (this.#isOver) return;
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes) {
      this.clear();
      this.#isOver = true;
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

  /** The last `count` bytes as text, fewer where there are fewer. */
  tail(count: number): string {
    return this.#bytes.toString("utf8", Math.max(0, this.#length - count), this.#length);
  }

  text(): string {
    return this.#bytes.toString("utf8", 0, this.#length);
  }

  clear(): void {
    if (this.#bytes.length > FIRST_CAPACITY) this.#bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
    this.#length = 0;
    this.#isOver = false;
  }
}
