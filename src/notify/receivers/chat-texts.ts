import type { Notification } from "../notification.ts";
import { subjectText } from "./message-texts.ts";
import type { Notifications } from "./receiver-kind.ts";

const MARKS: Readonly<Record<Notification["kind"], string>> = {
  opened: "🔴",
  changed: "✏️ Update:",
  resolved: "✅ Resolved:",
};

/** The whole message in one line, for notifications and screen readers. */
export function chatTitle([first, ...others]: Notifications): string {
  return others.length === 0 ? `${chatHeading(first)}: ${first.headline}` : groupTitle([first, ...others]);
}

/** What a message about one subject begins with: "🔴 Job prod-eu/payments/charge-1". */
export function chatHeading(notification: Notification): string {
  return `${MARKS[notification.kind]} ${subjectText(notification)}`;
}

/** What a message about several subjects begins with. They have the same rule, cluster and namespace. */
export function groupTitle(notifications: Notifications): string {
  const [{ kind, rule, subject }] = notifications;
  const { cluster, namespace } = subject;
  const place = namespace === "" ? cluster : `${cluster}/${namespace}`;
  return `${MARKS[kind]} ${notifications.length} messages of rule ${rule} about ${place}`;
}

/** What a message about one subject ends with. */
export function ruleLine({ kind, rule, version, firstKey }: Notification): string {
  return `Rule ${rule}${kind === "changed" ? `, update ${version} of ${firstKey}` : ""}`;
}

/** The most notifications that one message shows. */
const MOST_SHOWN = 20;

interface Made<Message> {
  readonly make: (shown: number) => Message;
  readonly fits: (message: Message) => boolean;
}

/** A message that shows as many of its notifications as it has room for, and at least one. */
export function asManyAsFit<Message>({ length }: Notifications, { make, fits }: Made<Message>): Message {
  for (let shown = Math.min(length, MOST_SHOWN); shown > 1; shown -= 1) {
    const message = make(shown);
    if (fits(message)) return message;
  }
  return make(1);
}
