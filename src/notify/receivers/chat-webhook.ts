import { knownKeys } from "../../ports/files/known-keys.ts";
import { chatTitle } from "./chat-texts.ts";
import { type Notifications, receiverKind } from "./receiver-kind.ts";
import { secretUrl, variable } from "./secret.ts";

const HEADERS = { "content-type": "application/json; charset=utf-8" };

/** A webhook of a chat: its address is a secret, and it shows several notifications as one message. */
export function chatWebhook(bodyOf: (notifications: Notifications) => string) {
  return receiverKind({
    form: knownKeys({ urlEnv: variable }),
    isGrouping: true,
    open: ({ urlEnv }, { environment, allowAddresses }) => {
      const url = secretUrl(environment, ["urlEnv", urlEnv]);
      if (typeof url !== "string") return url;
      return {
        compose: (notifications) => ({
          title: chatTitle(notifications),
          message: { kind: "http", url, headers: HEADERS, body: bodyOf(notifications), allowAddresses },
        }),
      };
    },
  });
}
