import { emailLines, emailTitle } from "./email-text.ts";
import { receiverKind } from "./receiver-kind.ts";
import { topicForm, topicMessage } from "./sns.ts";

/** A message for people: an SNS topic with e-mail subscriptions sends it as plain text. */
export const email = receiverKind({
  form: topicForm,
  open: ({ topic }) => ({
    compose: ([notification]) => {
      const subject = asciiSubject(emailTitle(notification));
      const body = emailLines(notification).join("\n");
      return { title: subject, message: { ...topicMessage(notification, topic), subject, body } };
    },
    resource: { service: "sns", topic },
  }),
});

/** SNS: less than 100 characters. */
const MAX_SUBJECT = 99;

/**
 * SNS accepts ASCII without line breaks and control characters that begins with a letter, a digit or punctuation. Other
 * characters become `?`, so that no name can add a header to the e-mail.
 */
function asciiSubject(title: string): string {
  const ascii = title.replaceAll(/[^\u0020-\u007e]/g, "?");
  return ascii.length <= MAX_SUBJECT ? ascii : `${ascii.slice(0, MAX_SUBJECT - 3)}...`;
}
