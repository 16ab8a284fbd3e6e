import { isOwnWaitingCause, type Waiting, type WaitingShows } from "../../job/cause/waiting-cause.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count } from "../../job/text/sentence.ts";
import type * as document from "../answer-document.ts";
import { presentAll } from "../present-evidence.ts";
import { describeCause, shortCauseText } from "./describe-cause.ts";
import { POD_GROUP_REMEDIES, remediesForCause } from "./explain-cause.ts";

/** What a Job waits for, as the answer document has it. */
export function presentWaiting(waiting: Waiting): document.Waiting {
  const { reason, since, pods, podCount, evidence } = waiting;
  return {
    reason,
    message: waitingText(waiting),
    since: formatInstant(since),
    podCount,
    ...(pods.length > 0 && { pods }),
    evidence: presentAll(evidence, describeWaitingShown),
  };
}

/** What it waits for, as a clause: "Unschedulable: no node fits (Insufficient cpu on 12 of 14 nodes)". */
export function waitingText({ why }: Waiting): string {
  if (!isOwnWaitingCause(why)) return describeCause(why);
  if (isPlain(why)) return PLAIN[why.cause].text;
  switch (why.cause) {
    case "queued":
      return `queued by ${why.by}${prefixed(" in queue ", why.queue)}`;
    case "podGroupIncomplete":
      return `not scheduled: PodGroup ${why.podGroup} does not exist, or has too few Pods`;
    case "nodeNotReady":
      return `node ${why.node} is not ready`;
    case "otherController":
      return `managed by ${why.managedBy}, not by the Job controller`;
    case "retryDelay":
      return `back-off of up to ${durationText(why.atMostSeconds * 1000)}`;
    case "backOff": {
      const last = prefixed(": ", why.last && describeCause(why.last));
      return `CrashLoopBackOff of container ${why.container} after ${count(why.restarts, "restart")}${last}`;
    }
  }
}

/** Causes whose text names nothing. */
const PLAIN = {
  suspended: { text: "suspended", remedies: [] },
  unhandled: {
    text: "not scheduled: no scheduler has placed the Pod, or said why not",
    remedies: ["Check that the scheduler that the Pod names (schedulerName) runs."],
  },
  noParallelism: {
    text: "parallelism is 0, so no Pod is wanted",
    remedies: ["Raise the Job's parallelism."],
  },
  notStarted: {
    text: "the Job controller has not started it",
    remedies: ["Check that kube-controller-manager runs, and that its Job controller is not overloaded."],
  },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly remedies: readonly string[] }>>;

type PlainCause = Extract<Waiting["why"], { readonly cause: keyof typeof PLAIN }>;

function isPlain(why: Waiting["why"]): why is PlainCause {
  return Object.hasOwn(PLAIN, why.cause);
}

function prefixed(prefix: string, text: string | undefined): string {
  return text === undefined ? "" : `${prefix}${text}`;
}

/** A form of medium length, for causes that have one. */
export function shortWaitingText({ why }: Waiting): string | undefined {
  return why.cause === "notScheduled" || why.cause === "refused" ? shortCauseText(why) : undefined;
}

/** How to fix it. A suspended or queued Job needs no fix. */
export function remediesForWaiting({ why }: Waiting): readonly string[] {
  if (!isOwnWaitingCause(why)) return remediesForCause(why);
  if (isPlain(why)) return PLAIN[why.cause].remedies;
  switch (why.cause) {
    case "queued":
    case "retryDelay":
      return [];
    case "podGroupIncomplete":
      return POD_GROUP_REMEDIES;
    case "otherController":
      return [`Ask ${why.managedBy}, or see whether it runs: the Job controller leaves this Job alone.`];
    case "nodeNotReady":
      return [`Bring node ${why.node} back, or delete the Pod so that another node gets it.`];
    case "backOff":
      return why.last === undefined ? [] : remediesForCause(why.last);
  }
}

/** What a fact of the evidence shows: a clause whose subject is the object. */
export function describeWaitingShown(shows: WaitingShows): string {
  switch (shows.what) {
    case "observed": {
      const reason = shows.reason === undefined ? "" : `: ${shows.reason}`;
      return `was ${shows.phase === "" ? "without a phase" : shows.phase}${reason}`;
    }
    case "event":
      return `had Event ${shows.reason}${shows.times > 1 ? `, ${shows.times} times` : ""}`;
    case "suspended":
      return "was reported suspended";
    case "reported":
      return `was reported with active ${shows.active}`;
  }
}
