import { type Cause, categoryOfCause, type CauseShows } from "../../job/cause/cause.ts";
import type { CreationRefused, PodCause } from "../../job/cause/pod-cause.ts";
import { count } from "../../text/sentence.ts";
import type * as document from "../answer-document.ts";
import { describePodEnd } from "../pod-end-text.ts";
import { presentEvidence } from "../present-evidence.ts";
import { describeCause } from "./describe-cause.ts";

/** A cause as the answer document has it. */
export function presentCause(cause: Cause): document.Cause {
  const { why, attempts, counted, pods, evidence } = cause;
  return {
    category: categoryOfCause(why),
    message: causeText(cause),
    attempts,
    counted,
    ...(pods.length > 0 && { pods }),
    evidence: evidence.map((one) => presentEvidence(one, describeShown)),
  };
}

/** The cause with how often it occurred: "container work exited with code 3 in 2 of 3 attempts". */
export function causeText({ why, attempts, unsuccessful, restarts }: Cause): string {
  const clause = describeCause(why);
  if (why.cause === "refused") return clause;
  if (attempts === 0) return `${clause}; ${count(restarts, "restart")} in place`;
  return unsuccessful === 1 ? clause : `${clause} in ${attempts} of ${unsuccessful} attempts`;
}

/** Whether Kubernetes counts the attempts, where something other than the program ended them. Empty where it is plain. */
export function countedText({ why, attempts, counted }: Cause): string {
  if (attempts === 0 || !isDisruption(why)) return "";
  return counted === 0 ? "not counted against backoffLimit" : "counted against backoffLimit";
}

function isDisruption({ cause }: PodCause): boolean {
  return cause === "preempted" || cause === "evicted" || cause === "refusedByNode" || cause === "nodeLost";
}

function describeShown(shows: CauseShows): string {
  switch (shows.what) {
    case "podEnded":
      return describePodEnd(shows);
    case "waited":
      return `waited: container ${shows.container}, ${shows.reason}`;
    case "unscheduled":
      return `had no node: ${shows.reason}`;
    case "event":
      return `had Event ${shows.reason}${shows.times > 1 ? `, ${shows.times} times` : ""}`;
  }
}

/** How to fix it: what helps against this cause, and nothing else. */
export function remediesForCause(why: PodCause): readonly string[] {
  switch (why.cause) {
    case "outOfMemory":
      return ["Raise the container's memory limit, or reduce what the program needs."];
    case "imageNotPulled":
      return ["Check the image's name and tag, the registry, and the Pod's imagePullSecrets."];
    case "containerNotStarted":
      return ["Fix what the container needs to start: the missing object, the command, or the security context."];
    case "volumeNotMounted":
      return ["Create the object that the volume needs, or fix the volume. `kubectl describe pod` names it."];
    case "notScheduled":
      return ["Make room, add nodes, or change the Pod's requests, selectors and tolerations."];
    case "refused":
      return [refusalRemedy(why)];
    case "preempted":
    case "evicted":
    case "nodeLost":
      return ["Let a podFailurePolicy ignore DisruptionTarget, so that disruptions do not use up backoffLimit."];
    case "refusedByNode":
      return ["Check the node's labels and free resources: the kubelet refused a Pod that the scheduler had placed."];
    case "probeFailed":
      return ["Check the probe or hook: its timeout, its period, and what it calls."];
    case "outcomeLost":
      return ["Check by the work's own traces whether it was done. Make it safe to run twice."];
    case "podDeadline":
      return ["Raise activeDeadlineSeconds of the Pod template, or make the work shorter."];
    case "deleted":
      return [];
    case "exited":
      return why.exitCode === COMMAND_NOT_FOUND
        ? ["Check the container's command: the shell did not find it."]
        : ["Read the log of the container: the program ended with an error of its own."];
  }
}

function refusalRemedy({ details }: CreationRefused): string {
  switch (details?.by) {
    case "quota":
      return "Free or raise the namespace's ResourceQuota, or lower the Pod's requests and limits.";
    case "limitRange":
      return "Change the Pod's requests and limits to fit the namespace's LimitRange.";
    case "serviceAccount":
      return "Create the ServiceAccount that the Pod template names, or name another one.";
    case undefined:
    case "podSecurity":
    case "webhook":
    case "policy":
    case "priorityClass":
    case "runtimeClass":
    case "namespaceTerminating":
    case "invalid":
    case "forbidden":
    case "unavailable":
      return "Fix what the API server refuses: `kubectl describe job` shows its full message.";
  }
}

const COMMAND_NOT_FOUND = 127;
