const BLOCK_BYTES = 1024 * 1024;

/** Where {@link PackedBytes} put something. */
interface Place {
  readonly block: Block;
  readonly start: number;
  readonly length: number;
}
interface Block {
  readonly bytes: Buffer;
  used: number;
}

/**
 * Many small byte strings by key, end to end in large blocks outside of V8's heap: a hundred thousand buffers of their own would
 * cost more than what is in them, and the heap grows by a multiple of what lives on it.
 */
export class PackedBytes<Key> {
  readonly #places = new Map<Key, Place>();
  #block: Block = newBlock(0);
  #liveBytes = 0;
  #deadBytes = 0;

  get size(): number {
    return this.#places.size;
  }

  set(key: Key, bytes: Uint8Array): void {
    this.#forget(key);
    this.#places.set(key, this.#append(bytes));
    this.#liveBytes += bytes.length;
  }

  /** The bytes under `key`, which are there no more afterwards. Copy what is to last: the next `set` may move them. */
  take(key: Key): Uint8Array | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    this.#forget(key);
    return bytesAt(place);
  }

  #forget(key: Key): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    this.#liveBytes -= place.length;
    this.#deadBytes += place.length;
    if (this.#deadBytes > this.#liveBytes + BLOCK_BYTES) this.#moveTogether();
  }

  #append(bytes: Uint8Array): Place {
    if (this.#block.used + bytes.length > this.#block.bytes.length) this.#block = newBlock(bytes.length);
    const block = this.#block;
    const start = block.used;
    block.bytes.set(bytes, start);
    block.used += bytes.length;
    return { block, start, length: bytes.length };
  }

  /** Leaves the gaps behind. */
  #moveTogether(): void {
    this.#block = newBlock(0);
    this.#deadBytes = 0;
    for (const [key, place] of this.#places) this.#places.set(key, this.#append(bytesAt(place)));
  }
}

function bytesAt({ block, start, length }: Place): Uint8Array {
  return block.bytes.subarray(start, start + length);
}

function newBlock(atLeast: number): Block {
  return { bytes: Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, atLeast)), used: 0 };
}
