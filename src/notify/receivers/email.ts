import { logLinkText, type Notification } from "../notification.ts";
import { placeOf } from "./cloud-event.ts";
import { receiverKind } from "./receiver-kind.ts";
import { topicForm, topicMessage } from "./sns.ts";

/** A message for people: an SNS topic with e-mail subscriptions sends it as plain text. */
export const email = receiverKind({
  form: topicForm,
  open: ({ topic }) => ({
    compose: ([notification]) => {
      const subject = emailSubject(notification);
      return { title: subject, message: { ...topicMessage(notification, topic), subject, body: textOf(notification) } };
    },
    resource: { service: "sns", topic },
  }),
});

function textOf(notification: Notification): string {
  const { kind, subject, headline, findings, rule, link, logs = [], key, firstKey } = notification;
  const lines = [
    kind === "opened" ? headline : `${kind === "resolved" ? "Resolved" : "Update"}: ${headline}`,
    "",
    `${subject.kind} ${placeOf(notification)}`,
    ...findings.filter(({ message }) => !headline.includes(message)).map((one) => `${one.kind}: ${one.message}`),
    ...(link === undefined ? [] : [link]),
    ...logs.map((one) => `${logLinkText(one)}: ${one.url}`),
    "",
    `Rule ${rule}. Message ${key}${kind === "opened" ? "" : `, first message ${firstKey}`}.`,
  ];
  return lines.join("\n");
}

/** SNS: less than 100 characters. */
const MAX_SUBJECT = 99;

/**
 * SNS accepts ASCII without line breaks and control characters that begins with a letter, a digit or punctuation. Other
 * characters become `?`, so that no name can add a header to the e-mail.
 */
function emailSubject(notification: Notification): string {
  const { kind, state, findings, subject } = notification;
  const what = kind === "resolved" ? "Resolved" : (state ?? findings[0]?.kind ?? "Problem");
  const text = `[Outlive] ${kind === "changed" ? "Update: " : ""}${what}: ${subject.kind} ${placeOf(notification)}`;
  const ascii = text.replaceAll(/[^\u0020-\u007e]/g, "?");
  return ascii.length <= MAX_SUBJECT ? ascii : `${ascii.slice(0, MAX_SUBJECT - 3)}...`;
}
