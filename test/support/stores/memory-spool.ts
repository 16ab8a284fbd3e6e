import type { Spool, SpooledSegment } from "../../../src/ports/spool.ts";

/** A spool in memory. */
export class MemorySpool implements Spool {
  readonly segments: SpooledSegment[] = [];
  readonly #maxBytes: number;

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.segments.length;
  }

  get bytes(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get lastPosition(): string | undefined {
    return this.segments.findLast(({ position }) => position !== undefined)?.position;
  }

  async append(segments: readonly SpooledSegment[]): Promise<"appended" | "full"> {
    const added = segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (this.bytes + added > this.#maxBytes) return "full";
    this.segments.push(...segments);
    return "appended";
  }

  async peek(limit: number): Promise<readonly SpooledSegment[]> {
    return this.segments.slice(0, limit);
  }

  async drop(count: number): Promise<void> {
    this.segments.splice(0, count);
  }
}
