import { exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import { DELIVERY_BACK_OFF } from "../../notify/delivery-result.ts";
import { type Notifier, runNotifier } from "../../notify/outbox/run-notifier.ts";
import type { NotificationRules } from "../../notify/rules/rules.ts";
import { sendByKind } from "../../notify/send-by-kind.ts";
import type { SendMessage } from "../../ports/message-sender.ts";
import { systemClock } from "../../ports/runtime/clock.ts";
import { createHttpSender } from "../../adapters/webhook/send-message.ts";
import type { Embedded } from "./embedded-tracker.ts";

/** Delivers the messages of a tracker to the receivers of its rules. `report` receives sentences for the operator. */
export function startDeliveries(
  { meta, retry, dueSubjects }: Pick<Embedded, "meta" | "retry" | "dueSubjects">,
  { receivers }: NotificationRules,
  report: (sentence: string) => void,
): Notifier {
  return runNotifier({
    meta,
    retry,
    dueSubjects,
    receivers,
    send: createSender(),
    backOff: exponentialBackOff(DELIVERY_BACK_OFF),
    clock: systemClock,
    report,
  });
}

/** Loads the AWS SDK only for the first message that needs it. */
function createSender(): SendMessage {
  const events = once(async () => {
    const { createEventBridgeClient, createEventSender } = await import("../../adapters/eventbridge/send-event.ts");
    return createEventSender(createEventBridgeClient());
  });
  const topics = once(async () => {
    const { createSnsClient, createTopicSender } = await import("../../adapters/sns/publish-message.ts");
    return createTopicSender(createSnsClient());
  });
  return sendByKind({
    http: createHttpSender(),
    eventbridge: async (message) => (await events())(message),
    sns: async (message) => (await topics())(message),
  });
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
