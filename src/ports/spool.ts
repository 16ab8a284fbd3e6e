/** Where segments wait durably while the queue cannot be reached: first in, first out. */
export interface Spool {
  /** How many segments wait. */
  readonly size: number;
  /** How many bytes they take. */
  readonly bytes: number;
  /** The position after the last segment that waits and has one. */
  readonly lastPosition: string | undefined;
  /** Puts segments at the end; durable when it resolves. `full`: none of them was put there. */
  append(segments: readonly SpooledSegment[]): Promise<"appended" | "full">;
  /** The oldest ones, at most `limit`. */
  peek(limit: number): Promise<readonly SpooledSegment[]>;
  /** Forgets the `count` oldest ones. */
  drop(count: number): Promise<void>;
}

export interface SpooledSegment {
  readonly bytes: Uint8Array;
  readonly factCount: number;
  /** The position that is reached once this segment and all before it are accepted; absent where the facts of one event go on in the next segment. */
  readonly position?: string;
}
