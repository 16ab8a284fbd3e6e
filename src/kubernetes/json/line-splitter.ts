/** A line without its line feed, or one piece of a line that is longer than the limit. */
export interface LinePiece {
  /** From 1. */
  readonly line: number;
  readonly bytes: Buffer;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const LINE_FEED = 0x0a;

/**
 * Splits chunks of any size into lines. A line longer than `maxBytes` is returned in pieces, the first of `maxBytes`
 * and the others as they arrive.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #line = 1;
  #isFirst = true;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *push(chunk: Uint8Array): Generator<LinePiece> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (start < bytes.length) {
      const room = this.#maxBytes - this.#keptBytes;
      const feed = bytes.indexOf(LINE_FEED, start);
      const end = feed === -1 ? bytes.length : feed;
      if (end - start > room) {
        yield this.#piece(bytes.subarray(start, start + room), false);
        start += room;
      } else if (feed === -1 && !this.#isFirst) {
        yield this.#piece(bytes.subarray(start, end), false);
        start = end;
      } else if (feed === -1) {
        // A copy, because the sender may reuse the chunk's memory.
        this.#keep(Buffer.from(bytes.subarray(start, end)));
        start = end;
      } else {
        yield this.#piece(bytes.subarray(start, end), true);
        start = feed + 1;
      }
    }
  }

  /** The last line, if no line feed ends it. */
  *end(): Generator<LinePiece> {
    if (this.#keptBytes > 0 || !this.#isFirst) yield this.#piece(Buffer.alloc(0), true);
  }

  get line(): number {
    return this.#line;
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
  }

  #piece(rest: Buffer, isLast: boolean): LinePiece {
    const bytes = this.#keptBytes === 0 ? rest : Buffer.concat([...this.#kept, rest]);
    const piece = { line: this.#line, bytes, isFirst: this.#isFirst, isLast };
    this.#kept = [];
    this.#keptBytes = 0;
    this.#isFirst = isLast;
    if (isLast) this.#line += 1;
    return piece;
  }
}
