/**
 * Messages that `outlive redrive` sends to the ingest function, each with its original sender. SQS would report the
 * redriver as the sender of a message that is moved between queues. The caller's permission to invoke the function is
 * trusted.
 */
export interface RedriveRequest {
  /** At most 6 MB of JSON: the payload of one synchronous invocation (Lambda quotas). */
  readonly redrive: readonly RedrivenMessage[];
}

export type RedrivenMessage = WholeMessage | KeptMessage;

export interface WholeMessage {
  readonly messageId: string;
  /** The body as it was in the queue. */
  readonly body: string;
  readonly senderId?: string;
}

/**
 * A message that is too large for a record. The function reads it from the bucket, so the redriver needs no access to
 * it, and the request stays small.
 */
export interface KeptMessage {
  readonly messageId: string;
  /** Its name among the large messages that were set aside. */
  readonly keptAs: string;
  readonly senderId?: string;
}

export interface RedriveResponse {
  /** One for each message, in their order. */
  readonly outcomes: readonly RedriveOutcome[];
}

export type RedriveOutcome =
  /** It is done: delete it from its queue. */
  | { readonly messageId: string; readonly outcome: "appended" | "duplicate" }
  | { readonly messageId: string; readonly outcome: "conflict" | "setAside"; readonly reason: string }
  /** Keep it, and redrive it again later. */
  | { readonly messageId: string; readonly outcome: "failed"; readonly reason: string };
