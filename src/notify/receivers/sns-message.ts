import type { TopicMessage } from "../../ports/message-sender.ts";
import { logLinkText, type Notification } from "../notification.ts";
import { cloudEvent, placeOf } from "./cloud-event.ts";

/**
 * A message for an SNS topic: the CloudEvent that a webhook gets. A message has at most 256 KB, names and values of
 * attributes included; a notification is far smaller (eventbridge-event.ts).
 */
export function snsMessage(notification: Notification, topic: string): TopicMessage {
  return { ...addressed(notification, topic), body: JSON.stringify(cloudEvent(notification)) };
}

/** A message for people: an SNS topic with e-mail subscriptions sends it as plain text. */
export function emailMessage(notification: Notification, topic: string): TopicMessage {
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
  return { ...addressed(notification, topic), subject: emailSubject(notification), body: lines.join("\n") };
}

function addressed(notification: Notification, topic: string): Omit<TopicMessage, "body"> {
  const { kind, key, rule, state, subject } = notification;
  const { cluster, namespace, uid } = subject;
  const attributes = { key, kind, rule, cluster, namespace, state: state ?? "", subjectKind: subject.kind };
  return {
    kind: "sns",
    topic,
    // SNS refuses an attribute without a value.
    attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== "")),
    group: `${cluster}/${uid}`,
    identity: key,
  };
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
