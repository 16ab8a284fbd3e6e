import type { PodCause } from "../../job/cause/pod-cause.ts";
import { isOwnWaitingCause, type Waiting } from "../../job/cause/waiting-cause.ts";

/** The cause without the details of a message, for a short form. */
export function withoutDetails(why: PodCause): PodCause {
  if (why.cause === "refused") {
    const { details, ...short } = why;
    return details === undefined ? short : { ...short, details: { about: "refusal", by: details.by } };
  }
  if ("problem" in why) {
    const { problem: _, ...short } = why;
    return short;
  }
  if ("details" in why) {
    const { details: _, ...short } = why;
    return short;
  }
  return why;
}

/** What a Job waits for, without the details of a message. */
export function withoutWaitingDetails(waiting: Waiting): Waiting {
  const { why } = waiting;
  if (!isOwnWaitingCause(why)) return { ...waiting, why: withoutDetails(why) };
  if (why.cause !== "backOff") return waiting;
  const { last: _, ...short } = why;
  return { ...waiting, why: short };
}
