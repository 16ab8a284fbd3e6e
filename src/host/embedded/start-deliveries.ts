import { exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import { DELIVERY_BACK_OFF } from "../../notify/delivery-result.ts";
import { type Notifier, runNotifier } from "../../notify/outbox/run-notifier.ts";
import type { NotificationRules } from "../../notify/rules/rules.ts";
import { TimeSlice } from "../../ports/concurrency/time-slice.ts";
import { systemClock } from "../../ports/runtime/clock.ts";
import { liveStores } from "../../projection/live-projection.ts";
import { createMessageSender } from "../runtime/message-sender.ts";
import type { Embedded } from "./embedded-tracker.ts";

/** Delivers the messages of a tracker to the receivers of its rules. `report` receives sentences for the operator. */
export function startDeliveries(
  embedded: Pick<Embedded, "log" | "meta" | "projections" | "logLinks" | "retry" | "dueSubjects">,
  { receivers }: NotificationRules,
  report: (sentence: string) => void,
): Notifier {
  const { log, meta, projections, logLinks, retry, dueSubjects } = embedded;
  const slice = new TimeSlice();
  const shared = { log, meta, ...(logLinks && { logLinks }), turn: () => slice.next() };
  return runNotifier({
    meta,
    retry,
    dueSubjects,
    receivers,
    send: createMessageSender({
      traces: {
        open: async () => ({ ...shared, ...(await liveStores(projections, meta)) }),
        now: () => systemClock.now(),
      },
    }),
    backOff: exponentialBackOff(DELIVERY_BACK_OFF),
    clock: systemClock,
    report,
  });
}
