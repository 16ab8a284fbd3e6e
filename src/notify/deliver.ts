import { createHash } from "node:crypto";
import type { BackOff } from "../concurrency/back-off.ts";
import type { Instant } from "../job/model/instant.ts";
import type { SendMessage } from "../ports/message-sender.ts";
import type { Delivery, NoticeStore } from "../ports/notices.ts";
import { deliveryResult } from "./delivery-result.ts";
import { readNotification } from "./notification.ts";
import { isGrouping, requestOf } from "./receivers/request-of.ts";
import type { Receiver } from "./rules/rules.ts";

export interface DeliverPorts {
  readonly notices: NoticeStore;
  readonly send: SendMessage;
  readonly now: () => Instant;
  /** Milliseconds until the next attempt. */
  readonly backOff: BackOff;
}

/** The result of one pass. `failing`: the receiver did not accept a message, so the others wait for the next pass. */
export type Pass =
  | { readonly outcome: "idle" | "delivered" | "limited" }
  | { readonly outcome: "failing"; readonly problem: string; readonly nextAt: Instant };

/** The most notifications that one message can contain, and that one pass reads. */
const MOST = 100;

/**
 * Sends the next message of a receiver, if one is due. The message may be sent again after a crash: its identity is
 * the same, and so are the notifications that it contains.
 */
export async function deliverNext(ports: DeliverPorts, receiver: Receiver): Promise<Pass> {
  const { notices, now } = ports;
  if (await isLimited(ports, receiver)) return { outcome: "limited" };
  const due = await notices.due(receiver.name, { now: now(), limit: MOST });
  const [first] = due;
  if (first === undefined) return { outcome: "idle" };
  const batch = await batchOf(notices, receiver, { first, due });
  const notifications = batch.map(({ value }) => readNotification(value));
  const sent = await ports.send(requestOf(receiver, [readNotification(first.value), ...notifications.slice(1)], now()));
  const { attempts, firstTriedAt } = first;
  const result = deliveryResult(sent, { attempts: attempts + 1, firstTriedAt, now: now(), backOff: ports.backOff });
  await notices.settle(keysOf(batch), result, now());
  if (result.outcome !== "failed") return { outcome: "delivered" };
  return { outcome: "failing", problem: result.problem, nextAt: result.nextAt };
}

async function isLimited({ notices, now }: DeliverPorts, { name, rateLimit }: Receiver): Promise<boolean> {
  if (rateLimit === undefined) return false;
  const { messages } = await notices.deliveredSince(name, now() - rateLimit.perMillis);
  return messages >= rateLimit.max;
}

interface Chosen {
  readonly first: Delivery;
  readonly due: readonly Delivery[];
}

/** The deliveries that are sent as one message, the first of them first. */
async function batchOf(notices: NoticeStore, receiver: Receiver, { first, due }: Chosen): Promise<readonly Delivery[]> {
  if (!isGrouping(receiver)) return [first];
  if (first.batch !== undefined) return notices.batch(receiver.name, first.batch);
  const together = due.filter(({ group, batch }) => batch === undefined && group === first.group);
  if (together.length === 1) return [first];
  const batch = createHash("sha256").update(keysOf(together).join("\n")).digest("hex");
  await notices.setBatch(keysOf(together), batch);
  return together;
}

function keysOf(deliveries: readonly Delivery[]): readonly string[] {
  return deliveries.map(({ key }) => key);
}
