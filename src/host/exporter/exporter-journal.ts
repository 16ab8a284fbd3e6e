import type { DeliveryEvent } from "../../kubernetes/delivery/delivery-event.ts";
import type { CaptureEvent } from "../../kubernetes/watch/capture-event.ts";
import type { Journal } from "../../ports/runtime/journal.ts";

/**
 * An unavailable queue is logged at the first attempt and then at every tenth, so that an outage does not flood the
 * log.
 */
const ATTEMPTS_BETWEEN_LINES = 10;

/** Logs an event of the capture. */
export function logCapture(journal: Journal, event: CaptureEvent): void {
  switch (event.kind) {
    case "listed":
      return journal.info("Listed.", { ...event });
    case "watching":
      return journal.info("Watching.", { ...event });
    case "removed":
      return journal.info("The cluster serves the resource no longer.", { ...event });
    case "relisting":
      return journal.warn("The watch cannot continue. The resource is listed again.", { ...event });
    case "gap":
      return journal.warn("A monitoring gap was recorded.", { ...event });
    case "problem": {
      const { kind, resource, retryInMillis } = event;
      return journal.warn(event.message, { kind, resource, retryInMillis });
    }
    case "rejected":
      return journal.warn("An object cannot be read and is skipped.", { ...event });
    case "heard":
    // A quiet resource stalls every half minute.
    case "stalled":
  }
}

/** Logs an event of delivery. */
export function logDelivery(journal: Journal, event: DeliveryEvent): void {
  switch (event.kind) {
    case "unreachable":
      return logUnreachable(journal, event);
    case "refused":
      return journal.error(event.reason, { kind: event.kind, facts: event.facts });
    case "spooled":
      return journal.warn("The queue is unavailable. Segments wait on disk.", { ...event });
    case "stalled":
      return journal.warn("Buffer and spool are full. Reading pauses until the queue accepts segments.", { ...event });
    case "resumed":
      return journal.info("There is room again. Reading continues.", { ...event });
    case "leading":
      return journal.info("This replica leads and sends.", { ...event });
    case "standingBy":
      return journal.warn(`This replica stops sending: ${event.reason}`, { kind: event.kind });
    case "leaseUnknown":
      return journal.warn(event.reason, { kind: event.kind });
    case "accepted":
  }
}

function logUnreachable(
  journal: Journal,
  { kind, reason, attempt, segments }: Extract<DeliveryEvent, { readonly kind: "unreachable" }>,
): void {
  if (attempt % ATTEMPTS_BETWEEN_LINES === 1) journal.warn(reason, { kind, attempt, waiting: segments });
}
