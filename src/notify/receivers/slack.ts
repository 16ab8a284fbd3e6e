import { logLinkText, type Notification } from "../notification.ts";
import { asManyAsFit, chatHeading, chatTitle, groupTitle, ruleLine } from "./chat-texts.ts";
import { chatWebhook } from "./chat-webhook.ts";
import { findingLines, subjectText } from "./message-texts.ts";
import type { Notifications } from "./receiver-kind.ts";

/** A message for an incoming webhook of Slack. */
export const slack = chatWebhook(messageOf);

/** A text of a block has at most 3,000 characters. */
const MAX_TEXT = 3_000;
/**
 * Slack refuses a message (`msg_blocks_too_long`) whose blocks have more than about 12,000 characters, which no page
 * documents (github.com/slackapi/bolt-js/issues/2509). One with 11,341 was refused, too (issue 2867). 20 notifications
 * have at most 42 of the 50 blocks of a message.
 */
const MAX_CHARACTERS = 10_000;

function messageOf(notifications: Notifications): string {
  // The text is for notifications and screen readers. Others see the blocks only.
  const text = escapeSlack(chatTitle(notifications));
  return JSON.stringify({ text, mrkdwn: false, unfurl_links: false, blocks: blocksOf(notifications) });
}

function blocksOf(notifications: Notifications): readonly object[] {
  return asManyAsFit(notifications, {
    make: (shown) => blocksWith(notifications, shown),
    fits: (blocks) => charactersOf(blocks) <= MAX_CHARACTERS,
  });
}

/** Without links: no report says that Slack counts them. */
function charactersOf(blocks: readonly object[]): number {
  return JSON.stringify(blocks, (key, value: unknown) => (key === "url" ? "" : value)).length;
}

function blocksWith(notifications: Notifications, most: number): readonly object[] {
  const [first, ...others] = notifications;
  if (others.length === 0) {
    return [section(first, [chatHeading(first), ...linesOf(first), ruleLine(first)]), ...logButtons(first)];
  }
  const shown = notifications.slice(0, most);
  const omitted = notifications.length - shown.length;
  return [
    plain(groupTitle(notifications)),
    ...shown.flatMap((one) => [section(one, [subjectText(one), ...linesOf(one)]), ...logButtons(one)]),
    ...(omitted > 0 ? [plain(`${omitted} more are not shown.`)] : []),
  ];
}

function linesOf(notification: Notification): readonly string[] {
  return [notification.headline, ...findingLines(notification)];
}

/** Plain text: Slack interprets nothing in it, neither formatting nor mentions. */
function plain(text: string): object {
  return { type: "section", text: { type: "plain_text", text: text.slice(0, MAX_TEXT), emoji: false } };
}

function section({ link }: Notification, lines: readonly string[]): object {
  const button = { type: "button", text: { type: "plain_text", text: "Open in Outlive" }, url: link };
  return { ...plain(lines.join("\n")), ...(link !== undefined && link.length <= MAX_URL && { accessory: button }) };
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
