/** A durable first-in, first-out queue of segments, for the time in which the remote queue is unreachable. */
export interface Spool {
  /** The number of waiting segments. */
  readonly size: number;
  /** Their total size. */
  readonly bytes: number;
  /** The position of the last waiting segment that has one. */
  readonly lastPosition: string | undefined;
  /** Appends all segments, or none if the spool is `full`. Durable when it resolves. */
  append(segments: readonly SpooledSegment[]): Promise<"appended" | "full">;
  /** The oldest segments, at most `limit`. */
  peek(limit: number): Promise<readonly SpooledSegment[]>;
  /** Removes the `count` oldest segments. */
  drop(count: number): Promise<void>;
}

export interface SpooledSegment {
  readonly bytes: Uint8Array;
  readonly factCount: number;
  /**
   * The position after this and all earlier segments were accepted. Absent if the facts of one event continue in the
   * next segment.
   */
  readonly position?: string;
}
