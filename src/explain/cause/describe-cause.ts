import type { CreationRefused, Evicted, Exited, OutcomeLost, PodCause, PodDeleted } from "../../job/cause/pod-cause.ts";
import { byWhom } from "../attribution-text.ts";
import { containerText } from "./container-text.ts";
import { IMAGE_PROBLEMS, PROBES, problemText, refusalText, schedulingText } from "./details-text.ts";

/** Why a Pod did not succeed, as a clause: "OOMKilled: container work exceeded its memory limit (32Mi)". */
export function describeCause(why: PodCause): string {
  switch (why.cause) {
    case "outOfMemory": {
      const limit = why.memoryLimit === undefined ? "" : ` (${why.memoryLimit})`;
      return `OOMKilled: ${containerText(why)} exceeded its memory limit${limit}`;
    }
    case "imageNotPulled": {
      const problem = why.problem === undefined ? "" : ` (${IMAGE_PROBLEMS[why.problem]})`;
      return `${why.reason}: the image of ${containerText(why)} cannot be pulled${problem}`;
    }
    case "containerNotStarted":
      return `${why.reason}: ${containerText(why)} could not be started${inBrackets(problemText(why.details))}`;
    case "volumeNotMounted":
      return `${why.reason}: a volume could not be mounted${inBrackets(problemText(why.details))}`;
    case "notScheduled":
      return notScheduledText(why);
    case "refused":
      return refusedText(why);
    case "preempted":
      return `preempted by a Pod of higher priority${onNode(why.node)}`;
    case "evicted":
      return evictedText(why);
    case "refusedByNode":
      return `${why.reason}: ${why.node ?? "the node"} refused the Pod${inBrackets(refusalCause(why))}`;
    case "probeFailed":
      return `${PROBES[why.probe]} failed, so ${containerText(why)} was killed`;
    case "nodeLost":
      return `node ${why.node ?? ""} was lost, so the outcome is unknown`.replace("  ", " ");
    case "outcomeLost":
      return lostText(why);
    case "podDeadline":
      return `the Pod's own activeDeadlineSeconds${why.seconds === undefined ? "" : ` (${why.seconds} s)`} passed`;
    case "deleted":
      return deletedText(why);
    case "exited":
      return exitedText(why);
  }
}

function inBrackets(text: string): string {
  return text === "" ? "" : ` (${text})`;
}

function onNode(node: string | undefined): string {
  return node === undefined ? "" : ` on ${node}`;
}

function notScheduledText({ reason, details, gates }: Extract<PodCause, { cause: "notScheduled" }>): string {
  if (gates !== undefined) return `${reason}: scheduling gate ${gates[0] ?? ""} is on`;
  return `${reason}: no node fits${details === undefined ? "" : inBrackets(schedulingText(details))}`;
}

function refusedText({ details, times }: CreationRefused): string {
  const why = details === undefined ? "the API server refuses to create them" : refusalText(details);
  return `FailedCreate: no Pod could be created, ${why}${times > 1 ? ` (${times} times)` : ""}`;
}

/** With only the obstacle that rules out the most nodes: "Unschedulable: Insufficient cpu on 12 of 14 nodes". */
export function shortCauseText(why: PodCause): string | undefined {
  if (why.cause !== "notScheduled" || why.details === undefined || why.details.causes.length === 0) return undefined;
  return `${why.reason}: ${schedulingText({ ...why.details, causes: why.details.causes.slice(0, 1) })}`;
}

function refusalCause({ resource, hadRun }: Extract<PodCause, { cause: "refusedByNode" }>): string {
  const parts = [
    resource === undefined ? "" : `not enough ${resource}`,
    hadRun ? "its program had run, the kubelet restarted" : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function evictedText({ by, resource, node }: Evicted): string {
  switch (by) {
    case "nodePressure":
      return `evicted by the kubelet${onNode(node)}${resource === undefined ? "" : `: the node was low on ${resource}`}`;
    case "ownLimit":
      return `evicted by the kubelet: the Pod exceeded its limit of ${resource ?? "a resource"}`;
    case "evictionApi":
      return `evicted through the eviction API${node === undefined ? "" : ` from ${node}`}, as a drain does`;
    case "taint":
      return `evicted for a taint that the Pod does not tolerate${onNode(node)}`;
    case "nodeShutdown":
      return `evicted because node ${node ?? ""} was shut down`.replace("  ", " ");
    case "unknown":
      return `evicted${onNode(node)}`;
  }
}

function lostText({ by, container, role, node }: OutcomeLost): string {
  const what = container === undefined || role === undefined ? "the containers" : containerText({ container, role });
  switch (by) {
    case "runtime":
      return `outcome unknown: the container runtime${onNode(node)} lost ${what} (exit code 255, Unknown)`;
    case "kubelet":
      return `outcome unknown: no end of ${what} was reported${onNode(node)}`;
    case "deletion":
      return "outcome unknown: the Pod was deleted by force while it ran";
  }
}

function deletedText({ actor, confidence, exitCode }: PodDeleted): string {
  const who = actor === "unknown" ? "" : ` ${byWhom({ actor, confidence })}`;
  const answer = exitCode === undefined ? "" : ` while it ran (exit code ${exitCode})`;
  return `Pod deleted${who}${answer}`;
}

/** What a shell says of a program that it cannot run, and signals. */
const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [126, "command not executable"],
  [127, "command not found"],
  [137, "SIGKILL"],
  [139, "SIGSEGV"],
  [143, "SIGTERM"],
]);

function exitedText(why: Exited): string {
  const { exitCode, signal } = why;
  const known = EXIT_CODES.get(exitCode) ?? (signal === undefined ? undefined : `signal ${signal}`);
  return `${containerText(why)} exited with code ${exitCode}${known === undefined ? "" : ` (${known})`}`;
}
