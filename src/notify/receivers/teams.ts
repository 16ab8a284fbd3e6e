import { logLinkText, type Notification } from "../notification.ts";
import { asManyAsFit, chatHeading, groupTitle, ruleLine } from "./chat-texts.ts";
import { chatWebhook } from "./chat-webhook.ts";
import { findingLines, subjectText } from "./message-texts.ts";
import type { Notifications } from "./receiver-kind.ts";

/** A workflow of Microsoft Teams that begins "When a Teams webhook request is received" and posts the card. */
export const teams = chatWebhook(bodyOf);

/** Teams refuses a message of more than 28 KB. */
const MAX_BYTES = 28 * 1_024;

function bodyOf(notifications: Notifications): string {
  return asManyAsFit(notifications, {
    make: (shown) => messageOf(notifications, shown),
    fits: (body) => Buffer.byteLength(body) <= MAX_BYTES,
  });
}

function messageOf(notifications: Notifications, shown: number): string {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    // The first version with texts that are no Markdown.
    version: "1.2",
    // It may be Markdown, so that it has names only.
    fallbackText: notifications.length === 1 ? chatHeading(notifications[0]) : groupTitle(notifications),
    body: elementsOf(notifications, shown),
    msteams: { width: "Full" },
  };
  const card = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
  return JSON.stringify({ type: "message", attachments: [card] });
}

function elementsOf(notifications: Notifications, shown: number): readonly object[] {
  const [first, ...others] = notifications;
  if (others.length === 0) {
    return [...describe(first, chatHeading(first)), plain(ruleLine(first), SUBTLE), ...buttons(first)];
  }
  const omitted = notifications.length - shown;
  return [
    plain(groupTitle(notifications), BOLD),
    ...notifications.slice(0, shown).flatMap((one) => [...describe(one, subjectText(one)), ...buttons(one)]),
    ...(omitted > 0 ? [plain(`${omitted} more are not shown.`)] : []),
  ];
}

function describe(notification: Notification, heading: string): readonly object[] {
  return [plain(heading, BOLD), plain(notification.headline), ...findingLines(notification).map((line) => plain(line))];
}

const BOLD = { weight: "Bolder" };
const SUBTLE = { isSubtle: true, size: "Small" };

/** A TextRun is plain text: Teams interprets no Markdown in it. */
function plain(text: string, style: object = {}): object {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}

/** Six actions are shown; a longer address would need too much of the message. */
const MAX_URL = 3_000;

function buttons({ link, logs = [] }: Notification): readonly object[] {
  const page = link === undefined ? [] : [{ title: "Open in Outlive", url: link }];
  const all = [...page, ...logs.map((one) => ({ title: logLinkText(one), url: one.url }))];
  const actions = all.filter(({ url }) => url.length <= MAX_URL).map((one) => ({ type: "Action.OpenUrl", ...one }));
  return actions.length === 0 ? [] : [{ type: "ActionSet", actions }];
}
