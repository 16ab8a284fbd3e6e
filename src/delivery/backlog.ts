import type { SealedSegment } from "../segment/segment.ts";
import type { PositionRules } from "./position-rules.ts";

/** A segment that waits in memory. */
export interface Waiting<Position> {
  readonly bytes: Uint8Array;
  readonly factCount: number;
  /** When it came here, on the clock that is never set back. */
  readonly since: number;
  /** Reached once this segment and all before it are accepted; absent where the facts of one event go on in the next segment. */
  position?: Position;
}

/**
 * Segments in memory, oldest first, and how far back they reach: a replica that stands by holds them until it is certain that the leader's were accepted.
 */
export class Backlog<Position> {
  readonly #rules: PositionRules<Position>;
  readonly #waiting: Waiting<Position>[] = [];
  #bytes = 0;
  /** The oldest segment follows what was seen up to here. */
  #floor: Position | undefined;
  /** Nothing was seen before the oldest segment: watching began with it, from nothing. */
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

  /** Watching begins here; `undefined`: with a first list. */
  begin(from: Position | undefined): void {
    this.#floor = from;
    this.#isFromNothing = from === undefined && this.#waiting.length === 0;
    // What waits from before leads up to no position: there may be a hole after it.
    for (const waiting of this.#waiting) delete waiting.position;
  }

  add(segments: readonly SealedSegment[], since: number, position: Position | undefined): void {
    for (const { bytes, factCount } of segments) {
      this.#waiting.push({ bytes, factCount, since });
      this.#bytes += bytes.length;
    }
    if (position !== undefined) this.advance(position);
  }

  /** The newest segment leads up to `position`. */
  advance(position: Position): void {
    this.#floor = this.#rules.fill(this.#floor, position);
    const newest = this.#waiting.at(-1);
    if (newest !== undefined) newest.position = position;
  }

  peek(limit: number): readonly Waiting<Position>[] {
    return this.#waiting.slice(0, limit);
  }

  /** Takes the `count` oldest away; the position that they lead up to, where they lead up to one. */
  drop(count: number): Position | undefined {
    let reached: Position | undefined;
    for (const { bytes, position } of this.#waiting.splice(0, count)) {
      this.#bytes -= bytes.length;
      reached = position ?? reached;
    }
    if (count > 0) this.#isFromNothing = false;
    if (reached !== undefined) this.#floor = reached;
    return reached;
  }

  /** Takes `last` and all before it away, where it is still here: what was passed meanwhile may have been dropped, and others stand in its place. */
  dropThrough(last: Waiting<Position> | undefined): Position | undefined {
    return last === undefined ? undefined : this.drop(this.#waiting.indexOf(last) + 1);
  }

  /** Whether everything after `position` is here. */
  covers(position: Position | undefined): boolean {
    if (position === undefined) return this.#isFromNothing;
    return this.#floor !== undefined && this.#rules.reaches(position, this.#floor);
  }

  /** Whether whoever stands at `position` has seen the oldest segment, and those before the next known place. */
  isPassed(position: Position): boolean {
    const next = this.#waiting.find((waiting) => waiting.position !== undefined)?.position;
    return next !== undefined && this.#rules.reaches(position, next);
  }
}
