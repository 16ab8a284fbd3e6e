import type { Notification } from "../../../src/notify/notification.ts";
import type { Composed } from "../../../src/notify/receivers/receiver-kind.ts";
import type { Environment } from "../../../src/notify/receivers/secret.ts";
import { receiversIn } from "../../../src/notify/rules/rule-document.ts";
import type { Receiver, UnusableReceiver } from "../../../src/notify/rules/rules.ts";
import type { HttpMessage, OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { notificationExample } from "./notification-example.ts";

/** A receiver as a rule file has it, without its name if that does not matter. */
export function receiverOf(said: object, environment: Environment = {}): Receiver {
  const read = receiversIn({ rules: [], receivers: [{ name: "a", ...said }] }, environment);
  if (read.outcome === "rejected") throw new Error(JSON.stringify(read.problems));
  const [receiver] = read.receivers;
  if (receiver === undefined || "problem" in receiver) throw new Error(receiver?.problem);
  return receiver;
}

/** The message that a receiver of a kind gets. */
export class ComposedBy {
  readonly #receiver: Receiver;

  constructor(said: object, environment: Environment = {}) {
    this.#receiver = receiverOf(said, environment);
  }

  compose(notifications: readonly Notification[], now = 0): Composed {
    const [first, ...others] = notifications;
    if (first === undefined) throw new TypeError("a message has a notification");
    return this.#receiver.compose([first, ...others], now);
  }

  http(notifications: readonly Notification[], now = 0): HttpMessage {
    return this.message("http", notifications, now);
  }

  message<Kind extends OutgoingMessage["kind"]>(
    kind: Kind,
    notifications: readonly Notification[],
    now = 0,
  ): Extract<OutgoingMessage, { readonly kind: Kind }> {
    const { message } = this.compose(notifications, now);
    if (!isOfKind(message, kind)) throw new TypeError(`the message is one by ${message.kind}`);
    return message;
  }

  json(notifications: readonly Notification[]): unknown {
    return JSON.parse(this.http(notifications).body);
  }
}

function isOfKind<Kind extends OutgoingMessage["kind"]>(
  message: OutgoingMessage,
  kind: Kind,
): message is Extract<OutgoingMessage, { readonly kind: Kind }> {
  return message.kind === kind;
}

/** Where the requests of a receiver go. */
export function urlOf(receiver: Receiver | UnusableReceiver): string {
  if ("problem" in receiver) return receiver.problem;
  const { message } = receiver.compose([notificationExample()], 0);
  return message.kind === "http" ? message.url : message.kind;
}
