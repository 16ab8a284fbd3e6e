import type { ClusterName } from "../job/model/ids.ts";

/** Where sealed segments go to be logged: a queue, or a tracker in the same process. */
export interface SegmentQueue {
  /**
   * Sends segments, in any number, and says of each what became of it, in the order given. Sending the same bytes again is harmless. Whatever goes wrong
   * outside is an answer; it does not throw.
   */
  send(segments: readonly OutgoingSegment[]): Promise<readonly SendOutcome[]>;
}

export interface OutgoingSegment {
  readonly cluster: ClusterName;
  readonly bytes: Uint8Array;
}

export type SendOutcome =
  /** It is the other side's now: it is durable there. */
  | { readonly outcome: "accepted" }
  /** These bytes will never be taken. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** Not now: send the same bytes again, later. The reason is a sentence that says what to do, where somebody has to do something. */
  | { readonly outcome: "unreachable"; readonly reason: string };
