import type { MessageRequest } from "../../ports/http-sender.ts";
import type { Notification } from "../notification.ts";
import type { Receiver } from "../rules/rules.ts";
import { pagerdutyRequest } from "./pagerduty-request.ts";
import { slackRequest } from "./slack-request.ts";
import { type RequestForm, webhookRequest } from "./webhook-request.ts";

/** Whether a receiver gets several notifications in one message. */
export function isGrouping({ target }: Receiver): boolean {
  return target.kind === "slack";
}

/** The request that carries notifications to a receiver: one of them, unless the receiver groups. */
export function requestOf(
  { target, allowAddresses }: Receiver,
  notifications: readonly [Notification, ...(readonly Notification[])],
  now: number,
): MessageRequest {
  return { ...formOf(target, notifications, now), allowAddresses };
}

function formOf(
  target: Receiver["target"],
  notifications: readonly [Notification, ...(readonly Notification[])],
  now: number,
): RequestForm {
  switch (target.kind) {
    case "webhook":
      return webhookRequest(notifications[0], target, now);
    case "slack":
      return slackRequest(notifications, target.url);
    case "pagerduty":
      return pagerdutyRequest(notifications[0], target);
  }
}
