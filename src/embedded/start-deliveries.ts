import { exponentialBackOff } from "../concurrency/back-off.ts";
import { type Notifier, runNotifier } from "../notify/run-notifier.ts";
import type { NotificationRules } from "../notify/rules/rules.ts";
import { systemClock } from "../runtime/clock.ts";
import { createMessageSender } from "../webhook/send-message.ts";
import type { Embedded } from "./embedded-tracker.ts";

const BACK_OFF = { firstMillis: 5_000, maxMillis: 15 * 60_000, jitter: "half" } as const;

/** Delivers the messages of a tracker to the receivers of its rules. `report` receives sentences for the operator. */
export function startDeliveries(
  { notices }: Pick<Embedded, "notices">,
  { receivers }: NotificationRules,
  report: (sentence: string) => void,
): Notifier {
  return runNotifier({
    notices,
    receivers,
    send: createMessageSender(),
    backOff: exponentialBackOff(BACK_OFF),
    clock: systemClock,
    report,
  });
}
