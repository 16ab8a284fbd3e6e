import type { ClusterName } from "../job/model/ids.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The oldest segment that is accepted: SQS keeps a message for at most 14 days. */
export const MAX_AGE_MS = 15 * DAY_MS;
/** How far the exporter's clock may be ahead. */
export const MAX_AHEAD_MS = 10 * 60 * 1000;

/** The destination of sealed segments: a queue, or a tracker in the same process. */
export interface SegmentQueue {
  /** The most segments of one call. @default 10, as SendMessageBatch of SQS accepts */
  readonly maxSegments?: number;
  /**
   * Sends segments and returns the outcome of each, in their order. Sending the same bytes again changes nothing.
   * External failures are outcomes: it does not throw.
   */
  send(segments: readonly OutgoingSegment[]): Promise<readonly SendOutcome[]>;
}

export interface OutgoingSegment {
  readonly cluster: ClusterName;
  readonly bytes: Uint8Array;
}

export type SendOutcome =
  /** The receiver stored it durably. */
  | { readonly outcome: "accepted" }
  /** The receiver will never accept these bytes. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** Send the same bytes again later. The reason says what an operator must do, if anything. */
  | { readonly outcome: "unreachable"; readonly reason: string };
