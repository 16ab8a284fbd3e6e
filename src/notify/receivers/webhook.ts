import { createHmac } from "node:crypto";
import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import type { HttpMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { cloudEvent } from "./cloud-event.ts";
import { changeText } from "./message-texts.ts";
import { address, type Opening, receiverKind } from "./receiver-kind.ts";
import { eitherUrl, type ReceiverProblem, secretOf, variable } from "./secret.ts";

const form = knownKeys({
  url: v.exactOptional(address),
  urlEnv: v.exactOptional(variable),
  secretEnv: v.exactOptional(variable),
});

export const webhook = receiverKind({
  form,
  open: (said, opening) => {
    const target = targetOf(said, opening);
    if ("problem" in target) return target;
    return {
      compose: ([notification], now) => ({
        title: changeText(notification),
        message: signedEvent(notification, target, now),
      }),
    };
  },
});

type Target = Pick<HttpMessage, "url" | "allowAddresses"> & { readonly secret?: string };

function targetOf(
  { secretEnv, ...where }: v.InferOutput<typeof form>,
  { environment, allowAddresses }: Opening,
): Target | ReceiverProblem {
  const url = eitherUrl(environment, where);
  if (typeof url !== "string") return url;
  if (secretEnv === undefined) return { url, allowAddresses };
  const secret = secretOf(environment, ["secretEnv", secretEnv]);
  return typeof secret === "string" ? { url, secret, allowAddresses } : secret;
}

/**
 * A CloudEvents 1.0 event in structured mode, signed as Standard Webhooks describe it. Without a secret, it is not
 * signed.
 */
function signedEvent(notification: Notification, { url, secret, allowAddresses }: Target, now: number): HttpMessage {
  const body = JSON.stringify(cloudEvent(notification));
  const timestamp = String(Math.floor(now / 1_000));
  const id = notification.key;
  const signature = secret === undefined ? undefined : signatureOf(`${id}.${timestamp}.${body}`, secret);
  return {
    kind: "http",
    url,
    allowAddresses,
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
