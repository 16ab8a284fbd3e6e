import pLimit from "p-limit";
import type { BackOff } from "../../ports/concurrency/back-off.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { OutgoingMessage, SendResult } from "../../ports/message-sender.ts";
import type { Delivery, DeliveryResult } from "../../ports/notices.ts";
import { deliveryResult } from "../delivery-result.ts";
import { readNotification } from "../notification.ts";
import type { Notifications } from "../receivers/receiver-kind.ts";
import type { Receiver, UnusableReceiver } from "../rules/rules.ts";
import { reserveSlot } from "./rate-window.ts";
import type { SubjectOutbox } from "./subject-outbox.ts";
import { type OutboxPorts, updateOutbox } from "./update-outbox.ts";

export interface DeliverSubjectsPorts extends OutboxPorts {
  /** Sends a message, once. Never rejects. */
  readonly send: (message: OutgoingMessage, title: string) => Promise<SendResult>;
  readonly backOff: BackOff;
}

/** The results of the messages that were tried, and when to try again. */
export interface DeliveredSubjects {
  readonly delivered: number;
  readonly failed: readonly { readonly key: string; readonly problem: string }[];
  readonly dead: readonly { readonly key: string; readonly problem: string }[];
  /** Subjects with waiting messages, and when they are due. */
  readonly waiting: ReadonlyMap<string, Instant>;
}

/**
 * How long a message is reserved for the process that sends it: longer than sending takes, and than the function runs.
 * If the process is killed, the next one sends the message again with the same identity.
 */
const CLAIM_MILLIS = 120_000;
const MAX_CONCURRENT = 10;
/** How many messages about one subject are sent in a row before other subjects follow. */
const MOST_IN_A_ROW = 10;

/**
 * Sends a receiver the due messages about some subjects, the oldest first for each subject. An attempt for an unusable
 * receiver fails with its problem, so that the receiver's status shows it.
 */
export async function deliverSubjects(
  ports: DeliverSubjectsPorts,
  receiver: AnyReceiver,
  subjects: readonly string[],
): Promise<DeliveredSubjects> {
  const waiting = new Map<string, Instant>();
  const settled: Settled[] = [];
  let open: readonly string[] = [...new Set(subjects)];
  for (let round = 0; round < MOST_IN_A_ROW && open.length > 0; round += 1) {
    const looked = await pLimit(MAX_CONCURRENT).map(open, (id) => claimNext(ports, receiver, id));
    for (const { id, waitsUntil } of looked) setOrDelete(waiting, id, waitsUntil);
    const claimed = looked.flatMap(({ id, delivery }) => (delivery === undefined ? [] : [{ id, delivery }]));
    const messages = messagesOf(receiver, claimed);
    const sent = await pLimit(MAX_CONCURRENT).map(messages, (message) => deliverMessage(ports, receiver, message));
    settled.push(...sent.flatMap((results) => results));
    for (const { id, waitsUntil } of sent.flat()) setOrDelete(waiting, id, waitsUntil);
    open = sent.flat().flatMap(({ id, waitsUntil }) => (isDue(waitsUntil, ports.now()) ? [id] : []));
  }
  return { waiting, ...tallyOf(settled) };
}

type AnyReceiver = Receiver | UnusableReceiver;

function isDue(at: Instant | undefined, now: Instant): boolean {
  return at !== undefined && at <= now;
}

function setOrDelete(waiting: Map<string, Instant>, id: string, at: Instant | undefined): void {
  if (at === undefined) waiting.delete(id);
  else waiting.set(id, at);
}

interface Claimed {
  readonly id: string;
  readonly delivery: Delivery;
}

interface Looked {
  readonly id: string;
  readonly delivery?: Delivery | undefined;
  readonly waitsUntil?: Instant | undefined;
}

async function claimNext(ports: DeliverSubjectsPorts, { name }: AnyReceiver, id: string): Promise<Looked> {
  const { result } = await updateOutbox(ports, id, (outbox): Looked => {
    const now = ports.now();
    const next = outbox.next(name, now);
    switch (next.outcome) {
      case "none":
        return { id };
      case "later":
        return { id, waitsUntil: next.at };
      case "due": {
        const until = now + CLAIM_MILLIS;
        return { id, delivery: outbox.claim(next.delivery.key, until, now), waitsUntil: until };
      }
    }
  });
  return result;
}

type Message = readonly [Claimed, ...(readonly Claimed[])];

/** One message for each notification, unless the receiver groups: then one message for each group. */
function messagesOf(receiver: AnyReceiver, claimed: readonly Claimed[]): readonly Message[] {
  if ("problem" in receiver || !receiver.isGrouping) return claimed.map((one) => [one]);
  const groups = new Map<string, Message>();
  for (const one of claimed) {
    const [first, ...others] = groups.get(one.delivery.group) ?? [];
    groups.set(one.delivery.group, first === undefined ? [one] : [first, ...others, one]);
  }
  return [...groups.values()];
}

interface Settled {
  readonly id: string;
  readonly key: string;
  /** Absent if the message was not sent, because of a rate limit. */
  readonly result?: DeliveryResult;
  readonly waitsUntil: Instant | undefined;
}

async function deliverMessage(
  ports: DeliverSubjectsPorts,
  receiver: AnyReceiver,
  message: Message,
): Promise<readonly Settled[]> {
  if ("problem" in receiver) {
    return settleSent(ports, receiver, { message, sent: { outcome: "unreachable", problem: receiver.problem } });
  }
  const slot = await reserveSlot(ports, receiver, ports.now());
  if (slot.outcome === "limited") {
    return settleAll(ports, receiver, {
      message,
      settle: (outbox, key) => outbox.release(key, slot.until, ports.now()),
    });
  }
  const [first, ...others] = message;
  const notifications: Notifications = [
    readNotification(first.delivery.value),
    ...others.map(({ delivery }) => readNotification(delivery.value)),
  ];
  const composed = receiver.compose(notifications, ports.now());
  const sent = await ports.send(composed.message, composed.title);
  return settleSent(ports, receiver, { message, sent });
}

interface Sent {
  readonly message: Message;
  readonly sent: SendResult;
}

function settleSent(
  ports: DeliverSubjectsPorts,
  receiver: AnyReceiver,
  { message, sent }: Sent,
): Promise<readonly Settled[]> {
  const { attempts, firstTriedAt } = message[0].delivery;
  const now = ports.now();
  const result = deliveryResult(sent, { attempts, firstTriedAt, now, backOff: ports.backOff });
  return settleAll(ports, receiver, { message, result, settle: (outbox, key) => outbox.settle(key, result, now) });
}

interface Settling {
  readonly message: Message;
  readonly result?: DeliveryResult;
  readonly settle: (outbox: SubjectOutbox, key: string) => void;
}

function settleAll(
  ports: DeliverSubjectsPorts,
  { name }: AnyReceiver,
  { message, result, settle }: Settling,
): Promise<readonly Settled[]> {
  return pLimit(MAX_CONCURRENT).map([...message], async ({ id, delivery: { key } }) => {
    const { outbox } = await updateOutbox(ports, id, (open) => settle(open, key));
    return { id, key, ...(result && { result }), waitsUntil: outbox.wanted.get(name) };
  });
}

function tallyOf(settled: readonly Settled[]): Omit<DeliveredSubjects, "waiting"> {
  const of = (outcome: "failed" | "dead") =>
    settled.flatMap(({ key, result }) => (result?.outcome === outcome ? [{ key, problem: result.problem }] : []));
  const delivered = settled.filter(({ result }) => result?.outcome === "delivered").length;
  return { delivered, failed: of("failed"), dead: of("dead") };
}
