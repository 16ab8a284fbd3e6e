import type { DeliveryEvent } from "../delivery/delivery-event.ts";
import type { CaptureEvent } from "../kubernetes/watch/capture-event.ts";
import type { Journal } from "../runtime/journal.ts";

/** A queue that is away is told of at the first attempt and then at every so many: an outage of an hour is not an hour of lines. */
const ATTEMPTS_BETWEEN_LINES = 10;

/** Tells whoever runs the exporter what happens, in sentences. */
export function tellNews(journal: Journal, news: CaptureEvent): void {
  switch (news.kind) {
    case "listed":
      return journal.info("Listed.", { ...news });
    case "watching":
      return journal.info("Watching.", { ...news });
    case "relisting":
      return journal.warn("The watch cannot go on where it stopped: the resource is listed anew.", { ...news });
    case "gap":
      return journal.warn("A blind window was written down.", { ...news });
    case "problem":
      return journal.warn(news.message, {
        kind: news.kind,
        resource: news.resource,
        retryInMillis: news.retryInMillis,
      });
    case "rejected":
      return journal.warn("An object cannot be read and is passed over.", { ...news });
    case "heard":
    // A resource in which nothing happens is silent, and is looked at every half minute.
    case "stalled":
  }
}

export function tellDelivery(journal: Journal, event: DeliveryEvent): void {
  switch (event.kind) {
    case "unreachable":
      if (event.attempt % ATTEMPTS_BETWEEN_LINES !== 1) return;
      return journal.warn(event.reason, { kind: event.kind, attempt: event.attempt, waiting: event.segments });
    case "refused":
      return journal.error(event.reason, { kind: event.kind, facts: event.facts });
    case "spooled":
      return journal.warn("The queue is away: segments wait on disk.", { ...event });
    case "stalled":
      return journal.warn("Buffer and spool are full: reading stops until the queue takes something.", { ...event });
    case "resumed":
      return journal.info("There is room again: reading goes on.", { ...event });
    case "leading":
      return journal.info("This replica sends.", { ...event });
    case "standingBy":
      return journal.warn(`This replica sends nothing more: ${event.reason}`, { kind: event.kind });
    case "leaseUnknown":
      return journal.warn(event.reason, { kind: event.kind });
    case "accepted":
  }
}
