/**
 * Messages that `outlive redrive` gives the ingest function itself, each with the sender it first came from: a message that is moved from queue to queue is a
 * new one to SQS, and comes from whoever moved it. Who may invoke the function is trusted with the senders it names.
 */
export interface RedriveRequest {
  /** At most 6 MB of JSON: what one invocation takes (Lambda quotas, synchronous payload). */
  readonly redrive: readonly RedrivenMessage[];
}

export interface RedrivenMessage {
  readonly messageId: string;
  /** As it was in the queue. */
  readonly body: string;
  readonly senderId?: string;
}

export interface RedriveResponse {
  /** One for each message, in the order given. */
  readonly outcomes: readonly RedriveOutcome[];
}

export type RedriveOutcome =
  /** It is done with: take it off its queue. */
  | { readonly messageId: string; readonly outcome: "appended" | "duplicate" }
  | { readonly messageId: string; readonly outcome: "conflict" | "setAside"; readonly reason: string }
  /** Leave it where it is, and redrive it again. */
  | { readonly messageId: string; readonly outcome: "failed"; readonly reason: string };
