/**
 * Writes integers up to 2^53 - 1 and texts: seven bits per byte, low bits first. The sign of a signed number is the
 * lowest bit of its first byte.
 */
export class VarintWriter {
  readonly #parts: Uint8Array[] = [];
  #bytes: number[] = [];

  unsigned(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
    return this;
  }

  signed(value: number): this {
    const size = Math.abs(value);
    const first = (size % 0x40) * 2 + (value < 0 ? 1 : 0);
    if (size < 0x40) return this.unsigned(first);
    this.#bytes.push(first | 0x80);
    return this.unsigned(Math.floor(size / 0x40));
  }

  text(value: string): this {
    return this.block(Buffer.from(value, "utf8"));
  }

  /** Writes the length, then the bytes. */
  block(value: Uint8Array): this {
    this.unsigned(value.length);
    this.#parts.push(Uint8Array.from(this.#bytes), value);
    this.#bytes = [];
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat([...this.#parts, Uint8Array.from(this.#bytes)]);
  }
}

/** Reads what {@link VarintWriter} wrote. Throws RangeError beyond the end. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) throw new RangeError(truncated("number", this.#offset));
      this.#offset += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const first = this.#take(1)[0] ?? 0;
    const low = (first & 0x7f) >>> 1;
    const size = first < 0x80 ? low : low + this.unsigned() * 0x40;
    return first % 2 === 0 ? size : -size;
  }

  text(): string {
    return Buffer.from(this.block()).toString("utf8");
  }

  block(): Uint8Array {
    return this.#take(this.unsigned());
  }

  /** The bytes that are left. */
  rest(): Uint8Array {
    return this.#take(this.#bytes.length - this.#offset);
  }

  #take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new RangeError(truncated("block", this.#offset));
    const bytes = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }
}

function truncated(what: string, offset: number): string {
  const found = `Stored bytes are damaged: the ${what} at byte ${offset} has no end.`;
  return `${found} Rebuild the projection with \`outlive replay\`.`;
}
