import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { type Notification, readNotification } from "../../../src/notify/notification.ts";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import type { NotificationRules, Receiver, Rule } from "../../../src/notify/rules/rules.ts";
import type { OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterOf } from "../story/listed-job.ts";
import { receiverOf } from "./opened-receiver.ts";
import { ruleOf } from "../story/notified.ts";

export const HOOK: Receiver = receiverOf({ name: "hook", webhook: { url: "http://127.0.0.1:9/hook" } });

export function rulesOf(rules: readonly Rule[] = [ruleOf()], said: Partial<NotificationRules> = {}): NotificationRules {
  return { rules, receivers: [HOOK], maintenance: [], ...said };
}

/** Time that a test sets. */
export class SetClock {
  now: Instant = Date.parse("2026-01-01T00:10:00Z");
  readonly read = (): Instant => this.now;
}

/** A tracker on a database whose changes cause notifications. */
export function openNotified(path: string, rules: NotificationRules, clock: SetClock): Embedded {
  return openEmbedded(path, { notify: { rules, now: clock.read } });
}

/** One segment with these facts, as an exporter of cluster `east` sends it. */
export async function sendFacts(embedded: Embedded, facts: readonly Fact[], sequence: number): Promise<void> {
  const cluster = clusterOf("east");
  const sealedAt = facts.reduce((latest, { at }) => Math.max(latest, at), 0);
  const segment = sealSegment({ cluster, session: "exporter00000000", sequence, sealedAt, facts });
  const failures: unknown[] = [];
  const queue = embedded.queue({ now: () => sealedAt, onUnfolded: (causes) => failures.push(...causes) });
  const outcomes = await queue.send([{ ...segment, cluster }]);
  if (failures.length > 0 || outcomes.some(({ outcome }) => outcome !== "accepted")) {
    throw new Error("a segment was not projected", { cause: failures[0] });
  }
}

/** Delivers everything that is due to `hook`, which accepts it. */
export async function delivered(embedded: Embedded, clock: SetClock): Promise<readonly Notification[]> {
  const sent: Notification[] = [];
  const ports = {
    ...embedded,
    now: clock.read,
    backOff: () => 1_000,
    send: async ({ body }: OutgoingMessage) => {
      const { data } = JSON.parse(body) as { readonly data: unknown };
      sent.push(readNotification(JSON.stringify(data)));
      return { outcome: "accepted", status: 200 } as const;
    },
  };
  while ((await deliverDue(ports, HOOK)).outcome === "delivered");
  return sent;
}
