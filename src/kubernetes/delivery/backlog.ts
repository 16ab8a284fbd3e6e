import type { SealedSegment } from "../../segment/segment.ts";
import type { PositionRules } from "./position-rules.ts";

/** A segment that waits in memory. */
export interface Waiting<Position> {
  readonly bytes: Uint8Array;
  readonly factCount: number;
  /** When it arrived here, on the monotonic clock. */
  readonly since: number;
  /**
   * The watch cursor that is reached when this and all earlier segments are accepted.
   * Absent where the facts of one event continue in the next segment.
   */
  position?: Position;
  /**
   * The position after the last event with facts in this segment. It is later than `position` while older facts are
   * held back.
   */
  through?: Position;
}

/** How far a segment moves the position, and how far its facts reach. */
export type Reach<Position> = Pick<Waiting<Position>, "position" | "through">;

/**
 * Segments in memory, oldest first, and the position from which they are complete.
 * A standby replica keeps them until it knows that the leader's segments were accepted.
 */
export class Backlog<Position> {
  readonly #rules: PositionRules<Position>;
  readonly #waiting: Waiting<Position>[] = [];
  #bytes = 0;
  /** The position before the oldest segment. */
  #floor: Position | undefined;
  /** Whether watching started with the oldest segment, without a position. */
  #isFromNothing = true;

  constructor(rules: PositionRules<Position>) {
    this.#rules = rules;
  }

  get size(): number {
    return this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): Waiting<Position> | undefined {
    return this.#waiting[0];
  }

  /** Watching starts at `from`; `undefined`: with a first list. */
  begin(from: Position | undefined): void {
    this.#floor = from;
    this.#isFromNothing = from === undefined && this.#waiting.length === 0;
    // Earlier segments do not move the position, because there may be a gap after them.
    for (const waiting of this.#waiting) {
      delete waiting.position;
      delete waiting.through;
    }
  }

  add(segments: readonly SealedSegment[], since: number, { position, through }: Reach<Position>): void {
    for (const { bytes, factCount } of segments) {
      this.#waiting.push({ bytes, factCount, since });
      this.#bytes += bytes.length;
    }
    if (position !== undefined) this.advance(position);
    const newest = this.#waiting.at(-1);
    if (newest !== undefined && through !== undefined) newest.through = through;
  }

  /** The newest segment leads to `position`. */
  advance(position: Position): void {
    this.#floor = this.#rules.fill(this.#floor, position);
    const newest = this.#waiting.at(-1);
    if (newest === undefined) return;
    newest.position = position;
    newest.through = position;
  }

  peek(limit: number): readonly Waiting<Position>[] {
    return this.#waiting.slice(0, limit);
  }

  /** Removes the `count` oldest segments. Returns the position that they lead to, if any. */
  drop(count: number): Position | undefined {
    let reached: Position | undefined;
    for (const { bytes, position, through } of this.#waiting.splice(0, count)) {
      this.#bytes -= bytes.length;
      reached = position ?? reached;
      // Dropped facts are missing from here on, even if the segment moves the position less far.
      this.#floor = through ?? this.#floor;
    }
    if (count > 0) this.#isFromNothing = false;
    return reached;
  }

  /** Removes `last` and all segments before it, unless it was already dropped. */
  dropThrough(last: Waiting<Position> | undefined): Position | undefined {
    return last === undefined ? undefined : this.drop(this.#waiting.indexOf(last) + 1);
  }

  /** Whether everything after `position` is in the backlog. */
  covers(position: Position | undefined): boolean {
    if (position === undefined) return this.#isFromNothing;
    return this.#floor !== undefined && this.#rules.reaches(position, this.#floor);
  }

  /** Whether `position` covers all facts of the oldest segment. */
  isPassed(position: Position): boolean {
    const next = this.#waiting.find(({ through }) => through !== undefined)?.through;
    return next !== undefined && this.#rules.reaches(position, next);
  }
}
