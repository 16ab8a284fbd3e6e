import type { HttpMessage, OutgoingMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import type { Receiver } from "../rules/rules.ts";
import { eventBridgeEvent } from "./eventbridge-event.ts";
import { pagerdutyRequest } from "./pagerduty-request.ts";
import { slackRequest } from "./slack-request.ts";
import { emailMessage, snsMessage } from "./sns-message.ts";
import { type RequestForm, webhookRequest } from "./webhook-request.ts";

/** Whether a receiver gets several notifications in one message. */
export function isGrouping({ target }: Receiver): boolean {
  return target.kind === "slack";
}

/** What carries notifications to a receiver: one of them, unless the receiver groups. */
export function requestOf(
  { target, allowAddresses }: Receiver,
  notifications: readonly [Notification, ...(readonly Notification[])],
  now: number,
): OutgoingMessage {
  const http = (form: RequestForm): HttpMessage => ({ kind: "http", ...form, allowAddresses });
  const [first] = notifications;
  switch (target.kind) {
    case "webhook":
      return http(webhookRequest(first, target, now));
    case "slack":
      return http(slackRequest(notifications, target.url));
    case "pagerduty":
      return http(pagerdutyRequest(first, target));
    case "eventbridge":
      return eventBridgeEvent(first, target.bus);
    case "sns":
      return snsMessage(first, target.topic);
    case "email":
      return emailMessage(first, target.topic);
  }
}
