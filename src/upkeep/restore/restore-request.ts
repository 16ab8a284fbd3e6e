import type { Instant } from "../../job/model/instant.ts";

/**
 * Segments that `outlive restore` sends to the ingest function, the only principal that may append to the log. The
 * caller's permission to invoke the function is trusted: no sender is checked, and segments may be of any age.
 */
export interface RestoreRequest {
  /** At most 6 MB of JSON: the payload of one synchronous invocation (Lambda quotas). */
  readonly restore: readonly RestoredMessage[];
}

export interface RestoredMessage {
  /** The sealed segment in base64. */
  readonly body: string;
  /** When the segment arrived in its previous log. The restored log stores it at the same place. */
  readonly arrivedAt: Instant;
}

export interface RestoreResponse {
  /** One for each message, in their order. */
  readonly outcomes: readonly RestoreOutcome[];
}

export type RestoreOutcome =
  /** It is in a pack of this shard, and durable. */
  | { readonly outcome: "appended"; readonly shard: number }
  /** The segment is too old for the log: DynamoDB would delete it. */
  | { readonly outcome: "expired" }
  /** This release cannot read it. It is stored with the reason, and `outlive redrive` ingests it later. */
  | { readonly outcome: "setAside"; readonly reason: string }
  /** The log was not available: send it again. */
  | { readonly outcome: "failed"; readonly reason: string };
