import { createHmac } from "node:crypto";
import type { HttpMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { cloudEvent } from "./cloud-event.ts";

/** The form of a message for one receiver, without the allowed addresses. */
export type RequestForm = Omit<HttpMessage, "kind" | "allowAddresses">;

export interface WebhookTarget {
  readonly url: string;
  readonly secret?: string;
}

/**
 * A CloudEvents 1.0 event in structured mode, signed as Standard Webhooks describe it. Without a secret, it is not
 * signed.
 */
export function webhookRequest(notification: Notification, { url, secret }: WebhookTarget, now: number): RequestForm {
  const body = JSON.stringify(cloudEvent(notification));
  const timestamp = String(Math.floor(now / 1_000));
  const id = notification.key;
  const signature = secret === undefined ? undefined : signatureOf(`${id}.${timestamp}.${body}`, secret);
  return {
    url,
    headers: {
      "content-type": "application/cloudevents+json; charset=utf-8",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      ...(signature !== undefined && { "webhook-signature": `v1,${signature}` }),
    },
    body,
  };
}

const PREFIX = "whsec_";

/** A secret `whsec_...` is base64, as Standard Webhooks generates them; any other text is used as it is. */
function signatureOf(content: string, secret: string): string {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
  return createHmac("sha256", key).update(content).digest("base64");
}
