import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import type { TopicMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { cloudEvent } from "./cloud-event.ts";
import { changeText } from "./message-texts.ts";
import { receiverKind } from "./receiver-kind.ts";

/** The part of a rule file that names a topic. */
export const topicForm = knownKeys({
  topic: v.pipe(
    v.string("Expected the ARN of an SNS topic."),
    v.regex(
      /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/,
      "Expected the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:batch.",
    ),
  ),
});

/**
 * The CloudEvent that a webhook gets. A message has at most 256 KB, names and values of attributes included; a
 * notification is far smaller (eventbridge.ts).
 */
export const sns = receiverKind({
  form: topicForm,
  open: ({ topic }) => ({
    compose: ([notification]) => ({
      title: changeText(notification),
      message: { ...topicMessage(notification, topic), body: JSON.stringify(cloudEvent(notification)) },
    }),
    resource: { service: "sns", topic },
  }),
});

/** A message to a topic, without its text. */
export function topicMessage(notification: Notification, topic: string): Omit<TopicMessage, "body"> {
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
