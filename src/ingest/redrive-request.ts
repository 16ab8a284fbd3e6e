/**
 * Messages that `outlive redrive` gives the ingest function itself, each with the sender it first came from: a message that is moved from queue to queue is a
 * new one to SQS, and comes from whoever moved it. Who may invoke the function is trusted with the senders it names.
 */
export interface RedriveRequest {
  /** At most 6 MB of JSON: what one invocation takes (Lambda quotas, synchronous payload). */
  readonly redrive: readonly RedrivenMessage[];
}

export type RedrivenMessage = WholeMessage | KeptMessage;

export interface WholeMessage {
  readonly messageId: string;
  /** As it was in the queue. */
  readonly body: string;
  readonly senderId?: string;
}

/** One that no record holds. The function reads it where it laid it: who redrives needs no right to read there, and 6 MB hold any number of names. */
export interface KeptMessage {
  readonly messageId: string;
  /** Its name among the large messages that were set aside. */
  readonly keptAs: string;
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
