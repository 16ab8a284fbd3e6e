import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import type { BusMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { eventType } from "./cloud-event.ts";
import { changeText } from "./message-texts.ts";
import { receiverKind } from "./receiver-kind.ts";

const EXPECTED = "Expected the name or ARN of an event bus.";

export const eventbridge = receiverKind({
  form: knownKeys({
    bus: v.pipe(
      v.string(EXPECTED),
      v.regex(/^(?:arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[A-Za-z0-9._/-]{1,256}$/, EXPECTED),
    ),
  }),
  open: ({ bus }) => ({
    compose: ([notification]) => ({
      title: changeText(notification),
      message: busMessage(notification, bus),
    }),
    resource: { service: "eventbridge", bus },
  }),
});

/**
 * An event for an EventBridge bus. Its `detail` is the notification. Consumers recognise a repeated event by
 * `detail.key`, because EventBridge gives each copy an id of its own.
 *
 * An entry of PutEvents has at most 256 KB. A notification is smaller: 52 texts of at most 300 characters, and names,
 * of which Kubernetes allows 253.
 */
function busMessage(notification: Notification, bus: string): BusMessage {
  return {
    kind: "eventbridge",
    bus,
    detailType: eventType(notification),
    body: JSON.stringify(notification),
    at: Date.parse(notification.at),
  };
}
