import type { BusMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { eventType } from "./cloud-event.ts";

/**
 * An event for an EventBridge bus. Its `detail` is the notification. Consumers recognise a repeated event by
 * `detail.key`, because EventBridge gives each copy an id of its own.
 *
 * An entry of PutEvents has at most 256 KB. A notification is far smaller: six texts of at most 300 characters, and
 * names, of which Kubernetes allows 253.
 */
export function eventBridgeEvent(notification: Notification, bus: string): BusMessage {
  return {
    kind: "eventbridge",
    bus,
    detailType: eventType(notification),
    body: JSON.stringify(notification),
    at: Date.parse(notification.at),
  };
}
