import * as v from "valibot";
import { logLinkText, type Notification } from "../notification.ts";
import { type Notifications, receiverKind } from "./receiver-kind.ts";
import { secretUrl, variable } from "./secret.ts";

export const slack = receiverKind({
  form: v.strictObject({ urlEnv: variable }),
  isGrouping: true,
  open: ({ urlEnv }, { environment, allowAddresses }) => {
    const url = secretUrl(environment, ["urlEnv", urlEnv]);
    if (typeof url !== "string") return url;
    const headers = { "content-type": "application/json; charset=utf-8" };
    return {
      compose: (notifications) => {
        const [first] = notifications;
        const title = titleOf(first, notifications.length);
        const body = JSON.stringify(bodyOf(title, notifications));
        return { title, message: { kind: "http", url, headers, body, allowAddresses } };
      },
    };
  },
});

/** Slack shows at most 50 blocks. */
const MAX_SHOWN = 20;

/** A message for an incoming webhook of Slack. Several notifications of one group become one message. */
function bodyOf(title: string, notifications: Notifications): object {
  const shown = notifications.slice(0, MAX_SHOWN);
  const omitted = notifications.length - shown.length;
  const blocks = [
    plain(title),
    ...shown.flatMap((one) => [section(one), ...logButtons(one)]),
    ...(omitted > 0 ? [plain(`${omitted} more are not shown.`)] : []),
  ];
  // The text is for notifications and screen readers.
  return { text: escapeSlack(title), mrkdwn: false, unfurl_links: false, blocks };
}

const MARKS: Readonly<Record<Notification["kind"], string>> = {
  opened: "🔴",
  changed: "✏️ Update:",
  resolved: "✅ Resolved:",
};

function titleOf({ kind, headline, subject, rule }: Notification, count: number): string {
  if (count === 1) return `${MARKS[kind]} ${headline}`;
  const where = subject.namespace === "" ? subject.cluster : `${subject.cluster}/${subject.namespace}`;
  return `${MARKS[kind]} ${count} messages of rule ${rule} about ${where}`;
}

/** Plain text: Slack interprets nothing in it, neither formatting nor mentions. */
function plain(text: string): object {
  return { type: "section", text: { type: "plain_text", text, emoji: false } };
}

function section({ subject, headline, findings, rule, link, version, kind, firstKey }: Notification): object {
  const { cluster, namespace, name } = subject;
  const place = [cluster, namespace, name].filter((part) => part !== "").join("/");
  const lines = [
    `${subject.kind} ${place}`,
    headline,
    ...findings.filter(({ message }) => !headline.includes(message)).map((one) => `${one.kind}: ${one.message}`),
    `Rule ${rule}${kind === "changed" ? `, update ${version} of ${firstKey}` : ""}`,
  ];
  const button = { type: "button", text: { type: "plain_text", text: "Open in Outlive" }, url: link };
  return {
    type: "section",
    text: { type: "plain_text", text: lines.join("\n"), emoji: false },
    ...(link !== undefined && { accessory: button }),
  };
}

/** Slack shows 75 characters of a button, and accepts addresses of 3,000. */
const MAX_BUTTON = 75;
const MAX_URL = 3_000;

function logButtons({ logs = [] }: Notification): readonly object[] {
  const elements = logs
    .filter(({ url }) => url.length <= MAX_URL)
    .map((one) => ({ type: "button", text: buttonText(logLinkText(one)), url: one.url }));
  return elements.length === 0 ? [] : [{ type: "actions", elements }];
}

function buttonText(text: string): object {
  const shown = text.length <= MAX_BUTTON ? text : `${text.slice(0, MAX_BUTTON - 1)}…`;
  return { type: "plain_text", text: shown, emoji: false };
}

/** Escapes what Slack interprets in texts: links, mentions and channels begin with `<`. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
