import { createHash } from "node:crypto";
import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import type { Notification } from "../notification.ts";
import { emailLines, emailTitle } from "./email-text.ts";
import { receiverKind } from "./receiver-kind.ts";
import { secretUrl, variable } from "./secret.ts";

const ADDRESS = "Expected an e-mail address, such as ops@example.org.";
const mailbox = v.pipe(
  v.string(ADDRESS),
  v.maxLength(254, ADDRESS),
  v.regex(/^[^\s<>@,;:"()]+@[A-Za-z0-9.-]+$/, ADDRESS),
);
const MAX_RECIPIENTS = 50;

/** A mail server, whose address and credentials are a secret. */
export const smtp = receiverKind({
  form: knownKeys({
    urlEnv: variable,
    from: mailbox,
    to: v.pipe(
      v.array(mailbox, "Expected a list of e-mail addresses."),
      v.minLength(1, "Name at least one address."),
      v.maxLength(MAX_RECIPIENTS, `Name at most ${MAX_RECIPIENTS} addresses.`),
    ),
  }),
  open: ({ urlEnv, from, to }, { environment, allowAddresses }) => {
    const url = secretUrl(environment, ["urlEnv", urlEnv], ["smtp", "smtps"]);
    if (typeof url !== "string") return url;
    return {
      compose: ([notification]) => {
        const title = emailTitle(notification);
        const body = `${emailLines(notification).join("\n")}\n`;
        const mail = { from, to, subject: title, body, ...threadOf(notification, from) };
        return { title, message: { kind: "smtp", url, ...mail, at: Date.parse(notification.at), allowAddresses } };
      },
    };
  },
});

/** A mail reader shows an update below the first message. */
function threadOf({ key, firstKey }: Notification, from: string) {
  return {
    messageId: messageIdOf(key, from),
    ...(firstKey !== key && { references: messageIdOf(firstKey, from) }),
  };
}

/** A longer identity would be on a line of its own in the header. */
const ID_CHARACTERS = 32;

/** The same for each attempt, so that a mail server or reader can recognise a repeated message. */
function messageIdOf(key: string, from: string): string {
  const id = createHash("sha256").update(key).digest("hex").slice(0, ID_CHARACTERS);
  return `<${id}@${from.split("@")[1] ?? "outlive"}>`;
}
