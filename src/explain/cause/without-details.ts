import type { PodCause } from "../../job/cause/pod-cause.ts";
import type { Waiting } from "../../job/cause/waiting.ts";

/** The cause without what a message said of it, for a short form. */
export function withoutDetails(why: PodCause): PodCause {
  switch (why.cause) {
    case "imageNotPulled": {
      const { problem: _, ...short } = why;
      return short;
    }
    case "containerNotStarted": {
      const { details: _, ...short } = why;
      return short;
    }
    case "volumeNotMounted": {
      const { details: _, ...short } = why;
      return short;
    }
    case "notScheduled": {
      const { details: _, ...short } = why;
      return short;
    }
    case "refused": {
      const { details, ...short } = why;
      return details === undefined ? short : { ...short, details: { about: "refusal", by: details.by } };
    }
    case "outOfMemory":
    case "preempted":
    case "evicted":
    case "refusedByNode":
    case "probeFailed":
    case "nodeLost":
    case "outcomeLost":
    case "podDeadline":
    case "deleted":
    case "exited":
      return why;
  }
}

/** What a Job waits for, without what a message said of it. */
export function withoutWaitingDetails(waiting: Waiting): Waiting {
  const { why } = waiting;
  switch (why.cause) {
    case "suspended":
    case "queued":
    case "nodeNotReady":
    case "sandboxFailed":
      return waiting;
    case "backOff": {
      const { last: _, ...short } = why;
      return { ...waiting, why: short };
    }
  }
  return { ...waiting, why: withoutDetails(why) };
}
