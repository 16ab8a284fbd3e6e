import { exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import { DELIVERY_BACK_OFF } from "../../notify/delivery-result.ts";
import { type Notifier, runNotifier } from "../../notify/outbox/run-notifier.ts";
import type { NotificationRules } from "../../notify/rules/rules.ts";
import { systemClock } from "../../ports/runtime/clock.ts";
import { createMessageSender } from "../runtime/message-sender.ts";
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
    send: createMessageSender(),
    backOff: exponentialBackOff(DELIVERY_BACK_OFF),
    clock: systemClock,
    report,
  });
}
