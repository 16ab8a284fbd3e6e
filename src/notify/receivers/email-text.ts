import { logLinkText, type Notification } from "../notification.ts";
import { findingLines, subjectText } from "./message-texts.ts";

/** The subject of an e-mail: "[Outlive] Failed: Job prod-eu/payments/charge-1". */
export function emailTitle(notification: Notification): string {
  const { kind, state, findings } = notification;
  const what = kind === "resolved" ? "Resolved" : (state ?? findings[0]?.kind ?? "Problem");
  return `[Outlive] ${kind === "changed" ? "Update: " : ""}${what}: ${subjectText(notification)}`;
}

/** The lines of an e-mail: plain text. */
export function emailLines(notification: Notification): readonly string[] {
  const { kind, headline, rule, link, logs = [], key, firstKey } = notification;
  return [
    kind === "opened" ? headline : `${kind === "resolved" ? "Resolved" : "Update"}: ${headline}`,
    "",
    subjectText(notification),
    ...findingLines(notification),
    ...(link === undefined ? [] : [link]),
    ...logs.map((one) => `${logLinkText(one)}: ${one.url}`),
    "",
    `Rule ${rule}. Message ${key}${kind === "opened" ? "" : `, first message ${firstKey}`}.`,
  ];
}
