import type { Instant } from "../job/model/instant.ts";

/** What carries a message to a receiver. */
export type OutgoingMessage = HttpMessage | BusMessage | TopicMessage | MailMessage | TraceMessage;

/** A request. Its address may be a secret, so errors name only the host. */
export interface HttpMessage {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Addresses (CIDR) that may be contacted although they are refused by default. */
  readonly allowAddresses: readonly string[];
  /** Whether the sender waits for the body of an answer that accepts the message. @default the status decides */
  readonly readsAnswer?: boolean;
}

/** Sends the trace of a run: its spans are read when it is sent. */
export interface TraceMessage extends Pick<HttpMessage, "url" | "headers" | "allowAddresses"> {
  readonly kind: "trace";
  readonly run: {
    readonly cluster: string;
    /** That of the object, such as JobSet. */
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  /** The page of the run. */
  readonly link?: string;
  /** What it is about, as JSON: `rules test` prints it. */
  readonly body: string;
}

/** An event for an EventBridge bus. */
export interface BusMessage {
  readonly kind: "eventbridge";
  /** The name or ARN of the bus. */
  readonly bus: string;
  readonly detailType: string;
  /** JSON text. */
  readonly body: string;
  readonly at: Instant;
}

/** A message for an SNS topic. */
export interface TopicMessage {
  readonly kind: "sns";
  /** The ARN of the topic. */
  readonly topic: string;
  /** Printable ASCII on one line, at most 99 characters (SNS API, Publish). Only e-mail shows it. */
  readonly subject?: string;
  readonly body: string;
  /** For the filters of subscriptions. Values are not empty. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Required by FIFO topics: messages of a group stay in order, and each identity is delivered once. */
  readonly group: string;
  readonly identity: string;
}

/** An e-mail, as plain text. */
export interface MailMessage {
  readonly kind: "smtp";
  /** `smtp://` or `smtps://`, with user and password. It is a secret, so errors do not contain it. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: string;
  /** `<id@domain>`: the same for each attempt. */
  readonly messageId: string;
  /** The message to which this one belongs. */
  readonly references?: string;
  readonly at: Instant;
  /** Addresses (CIDR) that may be contacted although they are refused by default. */
  readonly allowAddresses: readonly string[];
}

/** `problem` is a clause for people without secrets: "status 503", "connection refused". */
export type SendResult =
  | {
      readonly outcome: "accepted";
      readonly status: number;
      /** The body, if the message wants it. */
      readonly answer?: string;
    }
  /** The receiver answered. `retryAfterMillis`: when it wants the next attempt. */
  | {
      readonly outcome: "rejected";
      readonly status: number;
      readonly problem: string;
      readonly retryAfterMillis?: number;
    }
  /** The message will never be accepted, or was accepted in part: another attempt would not help. */
  | { readonly outcome: "refused"; readonly problem: string }
  /** The receiver did not answer, or its address is not allowed. */
  | { readonly outcome: "unreachable"; readonly problem: string };

/** Sends a message of one kind, once. Never rejects. */
export type SendOf<Message extends OutgoingMessage> = (message: Message) => Promise<SendResult>;

/** Sends a message, once. Never rejects. */
export type SendMessage = SendOf<OutgoingMessage>;
