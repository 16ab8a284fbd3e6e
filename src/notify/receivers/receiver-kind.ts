import * as v from "valibot";
import type { OutgoingMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { type Environment, isAddress, type ReceiverProblem } from "./secret.ts";

/** What one message contains: one notification, unless the receiver groups. */
export type Notifications = readonly [Notification, ...(readonly Notification[])];

/** A message in the form of its receiver. */
export interface Composed {
  /** The line that people read first. */
  readonly title: string;
  readonly message: OutgoingMessage;
}

/** Where the messages of a receiver go, with its secrets. */
export interface Destination {
  readonly compose: (notifications: Notifications, now: number) => Composed;
  /** What the role that sends has to be allowed to use. @default nothing of AWS */
  readonly resource?: AwsResource;
}

/** The name or ARN of an event bus, or the ARN of a topic. */
export type AwsResource =
  | { readonly service: "eventbridge"; readonly bus: string }
  | { readonly service: "sns"; readonly topic: string };

export interface Opening {
  readonly environment: Environment;
  /** Addresses (CIDR) that may be contacted although they are refused by default. */
  readonly allowAddresses: readonly string[];
}

/** A receiver of a rule file, before its secrets are read. */
export interface UnopenedReceiver {
  readonly isGrouping: boolean;
  readonly takesTraces: boolean;
  readonly open: (opening: Opening) => Destination | ReceiverProblem;
}

interface ReceiverKind<Said> {
  /** Its part of a rule file. */
  readonly form: v.GenericSchema<unknown, Said>;
  /** Whether several notifications can be one message. @default they cannot */
  readonly isGrouping?: boolean;
  /** Whether it gets traces of runs that are final, instead of messages. @default it gets messages */
  readonly takesTraces?: boolean;
  readonly open: (said: Said, opening: Opening) => Destination | ReceiverProblem;
}

/** A kind of receivers, as an optional key of a receiver in a rule file. */
export function receiverKind<Said>({ form, isGrouping = false, takesTraces = false, open }: ReceiverKind<Said>) {
  const unopened = (said: Said): UnopenedReceiver => ({
    isGrouping,
    takesTraces,
    open: (opening) => open(said, opening),
  });
  return v.exactOptional(v.pipe(form, v.transform(unopened)));
}

/** An address in a rule file. It is no secret. */
export const address = v.pipe(
  v.string("Expected an address such as https://example.org/hook."),
  v.check((text) => isAddress(text), "Expected an http or https URL."),
);
