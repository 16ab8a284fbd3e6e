const BLOCK_BYTES = 1024 * 1024;

/** Where {@link PackedBytes} stored a value. */
interface Slot {
  readonly block: Block;
  readonly start: number;
  readonly length: number;
}
interface Block {
  readonly bytes: Buffer;
  used: number;
}

/**
 * Many small byte strings by key, stored in large blocks outside of V8's heap. A hundred thousand separate buffers
 * would need more memory than their content.
 */
export class PackedBytes<Key> {
  readonly #slots = new Map<Key, Slot>();
  #block: Block = newBlock(0);
  #liveBytes = 0;
  #deadBytes = 0;

  get size(): number {
    return this.#slots.size;
  }

  set(key: Key, bytes: Uint8Array): void {
    this.#remove(key);
    this.#slots.set(key, this.#append(bytes));
    this.#liveBytes += bytes.length;
  }

  /** Removes and returns the bytes under `key`. They are valid until the next `set`, which may overwrite them. */
  take(key: Key): Uint8Array | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    this.#remove(key);
    return bytesAt(slot);
  }

  #remove(key: Key): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#liveBytes -= slot.length;
    this.#deadBytes += slot.length;
    if (this.#deadBytes > this.#liveBytes + BLOCK_BYTES) this.#compact();
  }

  #append(bytes: Uint8Array): Slot {
    if (this.#block.used + bytes.length > this.#block.bytes.length) this.#block = newBlock(bytes.length);
    const block = this.#block;
    const start = block.used;
    block.bytes.set(bytes, start);
    block.used += bytes.length;
    return { block, start, length: bytes.length };
  }

  /** Moves the live bytes to new blocks, without the gaps. */
  #compact(): void {
    this.#block = newBlock(0);
    this.#deadBytes = 0;
    for (const [key, slot] of this.#slots) this.#slots.set(key, this.#append(bytesAt(slot)));
  }
}

function bytesAt({ block, start, length }: Slot): Uint8Array {
  return block.bytes.subarray(start, start + length);
}

function newBlock(atLeast: number): Block {
  return { bytes: Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, atLeast)), used: 0 };
}
