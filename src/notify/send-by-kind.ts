import type { OutgoingMessage, SendMessage, SendOf } from "../ports/message-sender.ts";

/** One sender for each kind of message. */
export type SendersByKind = {
  readonly [Kind in OutgoingMessage["kind"]]: SendOf<Extract<OutgoingMessage, { readonly kind: Kind }>>;
};

export function sendByKind(senders: SendersByKind): SendMessage {
  return (message) => {
    switch (message.kind) {
      case "http":
        return senders.http(message);
      case "eventbridge":
        return senders.eventbridge(message);
      case "sns":
        return senders.sns(message);
    }
  };
}
