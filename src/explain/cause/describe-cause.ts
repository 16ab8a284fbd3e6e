import type {
  ByPodCause,
  CreationRefused,
  Evicted,
  Exited,
  NotScheduled,
  OutcomeLost,
  OutOfMemory,
  PodCause,
  PodCauseName,
  PodCauseOf,
  PodDeleted,
  RefusedByNode,
  ContainerRef,
} from "../../job/cause/pod-cause.ts";
import { byWhom, onRequestOf } from "../attribution-text.ts";
import { lifecycleText } from "../node-text.ts";
import { IMAGE_PROBLEMS, PROBES, problemText, refusalText, schedulingText } from "./details-text.ts";

/** Why a Pod did not succeed, as a clause: "OOMKilled: container work exceeded its memory limit (32Mi)". */
export function describeCause<Name extends PodCauseName>(why: PodCauseOf<Name>): string {
  return DESCRIPTIONS[why.cause](why);
}

const DESCRIPTIONS: ByPodCause<string> = {
  outOfMemory: outOfMemoryText,
  imageNotPulled: (why) => {
    // The reason InvalidImageName says it already.
    const problem =
      why.problem === undefined || why.problem === "invalidName" ? undefined : IMAGE_PROBLEMS[why.problem];
    return `${why.reason}: the image of ${containerText(why)} cannot be pulled${inBrackets(problem)}`;
  },
  containerNotStarted: (why) =>
    `${why.reason}: ${containerText(why)} could not be started${inBrackets(problemText(why.details))}`,
  volumeNotMounted: ({ reason, details }) =>
    `${reason}: a volume could not be mounted${inBrackets(problemText(details))}`,
  sandboxFailed: ({ reason, details, node }) => {
    const what = SETUPS.get(reason) ?? "the Pod could not be set up";
    return `${reason}: ${what}${onNode(node)}${inBrackets(problemText(details))}`;
  },
  notScheduled: notScheduledText,
  refused: refusedText,
  preempted: ({ by = "Pod", node }) => `preempted by a ${by} of higher priority${onNode(node)}`,
  evicted: (why) => EVICTIONS[why.by](why),
  refusedByNode: (why) => `${why.reason}: ${why.node ?? "the node"} refused the Pod${inBrackets(refusalCause(why))}`,
  probeFailed: (why) => `${PROBES[why.probe]} failed, so ${containerText(why)} was killed`,
  nodeLost: ({ node, neverRan }) =>
    neverRan === true
      ? `${nodeText(node)} is missing or lost; the Pod was not reported running`
      : `${nodeText(node)} was lost, so the outcome is unknown`,
  outcomeLost: lostText,
  podDeadline: ({ seconds }) =>
    `the Pod's own activeDeadlineSeconds${inBrackets(seconds === undefined ? undefined : `${seconds} s`)} passed`,
  deleted: deletedText,
  exited: exitedText,
};

/**
 * The exit code of a container whose own process was killed for its memory. With any other exit code, a child process
 * was killed.
 */
const KILLED = 137;

function outOfMemoryText(why: OutOfMemory): string {
  const { exitCode, memoryLimit, podMemoryLimit = memoryLimit } = why;
  const container = containerText(why);
  if (exitCode === KILLED) return `OOMKilled: ${container} exceeded ${limitText(why)}`;
  const limit = inBrackets(podMemoryLimit === undefined ? undefined : `memory limit ${memoryLimit ?? podMemoryLimit}`);
  return `OOMKilled: a child process of ${container}${limit}; the container then exited with code ${exitCode}`;
}

/** The limit of the Pod bounds all its containers together. */
function limitText({ memoryLimit, podMemoryLimit }: OutOfMemory): string {
  const own = `its memory limit${inBrackets(memoryLimit)}`;
  if (podMemoryLimit === undefined) return own;
  return memoryLimit === undefined
    ? `the memory limit of its Pod (${podMemoryLimit})`
    : `${own} or that of its Pod (${podMemoryLimit})`;
}

const SETUPS: ReadonlyMap<string, string> = new Map([
  ["FailedCreatePodSandBox", "no sandbox"],
  ["NetworkNotReady", "the network was not ready"],
  ["FailedPrepareDynamicResources", "the Pod's devices could not be prepared"],
]);

function inBrackets(text = ""): string {
  return text === "" ? "" : ` (${text})`;
}

function nodeText(node: string | undefined): string {
  return node === undefined ? "its node" : `node ${node}`;
}

function onNode(node: string | undefined): string {
  return node === undefined ? "" : ` on ${node}`;
}

function notScheduledText({ reason, details, gates, podGroup }: NotScheduled): string {
  const what = podGroup === undefined ? "the Pod" : `PodGroup ${podGroup}`;
  const group = groupText(details);
  if (group !== undefined) return `${reason}: PodGroup${podGroup === undefined ? "" : ` ${podGroup}`} ${group}`;
  if (gates !== undefined) return `${reason}: scheduling gate ${gates[0] ?? ""} is on`;
  if (reason === "SchedulerError") return `${reason}: the scheduler could not place ${what}`;
  if (reason === NOT_READY) {
    const why = inBrackets(details && schedulingText(details));
    return `${reason}: the scheduler does not yet try to place ${what}${why}`;
  }
  return `${reason}: no node fits${inBrackets(details && schedulingText(details))}`;
}

/** Why the scheduler waits for the PodGroup of a Pod (KEP-4671). */
function groupText(details: NotScheduled["details"]): string | undefined {
  const causes = new Set(details?.causes.map(({ cause }) => cause));
  if (causes.has("podGroupMissing")) return "does not exist";
  return causes.has("podGroupIncomplete") ? "has too few Pods" : undefined;
}

/** No node has been looked for. */
function isNotTried({ reason, details }: NotScheduled): boolean {
  return reason === NOT_READY || groupText(details) !== undefined;
}

/** The scheduler has rejected the Pod before it looked for a node (KEP-5501). */
const NOT_READY = "NotReadyForScheduling";

/** Names only the obstacle that rules out the most nodes: "Unschedulable: Insufficient cpu on 12 of 14 nodes". */
export function shortCauseText(why: PodCause): string | undefined {
  if (why.cause === "refused") return refusedText({ ...why, times: 1 });
  if (why.cause !== "notScheduled" || isNotTried(why)) return undefined;
  if (why.details === undefined || why.details.causes.length === 0) return undefined;
  return `${why.reason}: ${schedulingText({ ...why.details, causes: why.details.causes.slice(0, 1) })}`;
}

function refusedText({ details, times, hasPods }: CreationRefused): string {
  const why = details === undefined ? "the API server refuses to create them" : refusalText(details);
  const what = hasPods === true ? "further Pods could not be created" : "no Pod could be created";
  return `FailedCreate: ${what}, ${why}${times > 1 ? ` (${times} times)` : ""}`;
}

function refusalCause({ resource, hadRun }: RefusedByNode): string {
  const parts = [
    resource === undefined ? "" : `not enough ${resource}`,
    hadRun ? "its program had run before the kubelet restarted" : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

const SHUTDOWN = "GracefulNodeShutdownInProgress";

const EVICTIONS: Readonly<Record<Evicted["by"], (why: Evicted) => string>> = {
  nodePressure: ({ node, resource }) => {
    const pressure = resource === undefined ? "" : `: the node was low on ${resource}`;
    return `evicted by the kubelet${onNode(node)}${pressure}`;
  },
  ownLimit: ({ resource = "a resource" }) => `evicted by the kubelet: the Pod exceeded its limit of ${resource}`,
  evictionApi: ({ node, requesters, during }) => {
    const from = node === undefined ? "" : ` from ${node}`;
    if (requesters !== undefined) return `evicted${from} ${onRequestOf(requesters)}`;
    const when = during === undefined ? ", as a drain does" : ` ${lifecycleText(during)}`;
    return `evicted through the eviction API${from}${when}`;
  },
  taint: ({ node }) => `evicted for a taint that the Pod does not tolerate${onNode(node)}`,
  deviceTaint: ({ node }) => `evicted for a device's taint${onNode(node)}`,
  nodeShutdown: ({ node, during }) => {
    const when = during === undefined || during === SHUTDOWN ? "" : ` ${lifecycleText(during)}`;
    return `evicted because ${nodeText(node)} was shut down${when}`;
  },
  unknown: ({ node }) => `evicted${onNode(node)}`,
};

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

/** An unknown outcome in a few words, for a headline that is already long. */
export function lostInBrief({ by, node = "the node" }: OutcomeLost): string {
  switch (by) {
    case "runtime":
      return `outcome unknown: ${node}'s container runtime lost it`;
    case "kubelet":
      return `outcome unknown: ${node} reported no end`;
    case "deletion":
      return "outcome unknown: the Pod was deleted by force";
  }
}

function deletedText({ actor, confidence, exitCode, during, requesters }: PodDeleted): string {
  const by = byWhom({ actor, confidence });
  const who =
    requesters !== undefined
      ? onRequestOf(requesters)
      : `${by}${during === undefined ? "" : ` ${lifecycleText(during)}`}`;
  const answer = exitCode === undefined ? "" : ` while it ran (exit code ${exitCode})`;
  return `Pod deleted ${who}${answer}`;
}

/** Exit codes that a shell returns for a program that it cannot run, and for signals. */
const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [126, "command not executable"],
  [127, "command not found"],
  [137, "SIGKILL"],
  [139, "SIGSEGV"],
  [143, "SIGTERM"],
]);

function exitedText(why: Exited): string {
  const { exitCode, signal, unhealthy, restartedAll } = why;
  const known = EXIT_CODES.get(exitCode) ?? (signal === undefined ? undefined : `signal ${signal}`);
  const exit = `${containerText(why)} exited with code ${exitCode}${known === undefined ? "" : ` (${known})`}`;
  const device = unhealthy === undefined ? "" : ` while its device ${unhealthy.resource} was reported Unhealthy`;
  return `${exit}${device}${restartedAll === true ? ", so all containers were restarted" : ""}`;
}

/** "container work", "init container prepare", "sidecar proxy". */
function containerText({ container, role }: ContainerRef): string {
  switch (role) {
    case "main":
      return `container ${container}`;
    case "init":
      return `init container ${container}`;
    case "sidecar":
      return `sidecar ${container}`;
  }
}
