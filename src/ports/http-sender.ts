/** A request that carries a message. Its address may be a secret: no error names more than the host. */
export interface MessageRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Addresses (CIDR) that may be reached although they are refused by default. */
  readonly allowAddresses: readonly string[];
}

/** `problem` is a clause for people without secrets: "status 503", "connection refused". */
export type SendResult =
  | { readonly outcome: "accepted"; readonly status: number }
  /** The receiver answered. `retryAfterMillis`: when it wants the next attempt. */
  | {
      readonly outcome: "rejected";
      readonly status: number;
      readonly problem: string;
      readonly retryAfterMillis?: number;
    }
  /** The receiver did not answer, or may not be reached. */
  | { readonly outcome: "unreachable"; readonly problem: string };

/** Sends a message, and follows no redirect. Never rejects. */
export type SendMessage = (request: MessageRequest) => Promise<SendResult>;
