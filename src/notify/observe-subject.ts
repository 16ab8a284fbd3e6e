import type { Instant } from "../job/model/instant.ts";
import type { NewDelivery } from "../ports/notices.ts";
import { judge, type Transition } from "./judge.ts";
import { maintenanceOf } from "./match-rule.ts";
import type { SubjectOutbox } from "./outbox/subject-outbox.ts";
import { type Notification, readNotification } from "./notification.ts";
import { deliveryKey, notificationOf } from "./notification-of.ts";
import type { NotificationRules, Receiver } from "./rules/rules.ts";
import type { Subject } from "./subject.ts";

export interface ObservePorts {
  readonly notices: SubjectOutbox;
  readonly rules: NotificationRules;
  /** The first line of a message about a Job, as `outlive why` has it. @default the headline of the subject */
  readonly explain?: (subject: Subject) => Promise<Explanation | undefined>;
}

export type Explanation = Pick<Subject, "headline" | "logs">;

export interface ObservedChange {
  readonly subject: Subject;
  readonly previous?: Subject | undefined;
  readonly now: Instant;
}

/**
 * Adds the deliveries that a change of a subject causes. The new condition and its deliveries are one record: they are
 * stored together or not at all. Returns how many were added.
 */
export async function observeSubject(ports: ObservePorts, change: ObservedChange): Promise<number> {
  const { notices, rules, explain } = ports;
  const { subject, previous, now } = change;
  const judged = judge(rules.rules, { subject, previous, record: notices.notice });
  if (judged.record !== undefined) notices.write(judged.record);
  if (judged.transitions.length === 0) return 0;
  const isExplained = judged.transitions.some(({ rule }) => rule.traces !== true);
  const explained = { ...subject, ...(isExplained && (await explain?.(subject))) };
  let added = 0;
  for (const transition of judged.transitions) {
    for (const receiver of receiversOf(rules, transition)) {
      added += addDelivery(ports, { transition, receiver, now, subject: explained });
    }
  }
  return added;
}

/** Subjects of different clusters may have the same name. */
export function subjectId({ cluster, kind, uid }: Pick<Subject, "cluster" | "kind" | "uid">): string {
  return `${cluster}#${kind}#${uid}`;
}

/** Those that a label or annotation names, if there are any of these names; otherwise those of the rule. */
function receiversOf({ receivers: all }: NotificationRules, { rule, routedBy = "" }: Transition): readonly Receiver[] {
  const receivers = all.filter((receiver) => receiver.takesTraces === (rule.traces ?? false));
  const wanted = routedBy.split(",").map((name) => name.trim());
  const routed = receivers.filter(({ name }) => wanted.includes(name));
  return routed.length > 0 ? routed : receivers.filter(({ name }) => rule.to.includes(name));
}

interface Added {
  readonly transition: Transition;
  readonly receiver: Receiver;
  readonly subject: Subject;
  readonly now: Instant;
}

/** Returns how many messages were added: a message that is still held is changed or removed instead. */
function addDelivery(ports: ObservePorts, change: Added): number {
  const { transition, subject, now } = change;
  const delivery = deliveryOf(change, ports.rules.page);
  if (settlesHeld(ports.notices, delivery, change)) return 0;
  if (!transition.isAnnounced) return 0;
  // A trace alerts no one.
  const intervals = transition.rule.traces === true ? [] : ports.rules.maintenance;
  const maintenance = maintenanceOf(intervals, subject, now);
  if (maintenance === undefined) return addAll(ports.notices, delivery, now);
  if (subject.final !== true && transition.kind !== "resolved") {
    return addAll(ports.notices, { ...delivery, nextAt: Math.max(delivery.nextAt, maintenance.to) }, now);
  }
  ports.notices.suppress(delivery);
  return 0;
}

/** Whether the first message is still held, for the condition did not hold long enough. It is changed or removed. */
function settlesHeld(notices: SubjectOutbox, delivery: NewDelivery, change: Added): boolean {
  const { transition, receiver, subject, now } = change;
  const { kind, rule, firstVersion } = transition;
  if (kind === "opened") return false;
  const first = deliveryKey(subject, firstVersion, { rule: rule.name, receiver: receiver.name });
  if (kind === "changed") return notices.replaceHeld(first, heldValue(delivery, first), now);
  return notices.cancelHeld(first, now);
}

function addAll(notices: SubjectOutbox, delivery: NewDelivery, now: Instant): number {
  notices.add([delivery], now);
  return 1;
}

/** The text of a held first message after a change: it stays the first message. */
function heldValue({ value }: NewDelivery, key: string): string {
  const changed = readNotification(value);
  return JSON.stringify({ ...changed, key, firstKey: key, kind: "opened" } satisfies Notification);
}

function deliveryOf({ transition, receiver, subject, now }: Added, page: string | undefined): NewDelivery {
  const { rule, kind } = transition;
  const notification = notificationOf(transition, subject, { receiver: receiver.name, page });
  const readyAt = now + (kind === "opened" ? rule.forMillis : 0);
  return {
    key: notification.key,
    receiver: receiver.name,
    subject: subjectId(subject),
    nextAt: endOfInterval(readyAt, receiver.group?.waitMillis ?? 0),
    group: `${kind}/${rule.name}/${subject.cluster}/${subject.namespace}`,
    value: JSON.stringify(notification),
  };
}

/**
 * When the messages of a group are due: together, at the end of the interval in which they begin. Intervals have fixed
 * limits, so a message does not depend on the others.
 */
function endOfInterval(at: Instant, millis: number): Instant {
  return millis === 0 ? at : (Math.floor(at / millis) + 1) * millis;
}
