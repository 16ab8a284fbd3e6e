import { type Cause, categoryOfCause, type CauseShare, type CauseShows } from "../../job/cause/cause.ts";
import type { Refuser, VolumeDetails } from "../../job/model/message-details.ts";
import type {
  ByPodCause,
  CreationRefused,
  NotScheduled,
  Evicted,
  OutOfMemory,
  PodCause,
  PodCauseName,
  PodCauseOf,
} from "../../job/cause/pod-cause.ts";
import { count, list } from "../../job/text/sentence.ts";
import type * as document from "../answer-document.ts";
import { describePodEnd } from "../pod-end-text.ts";
import { presentAll } from "../present-evidence.ts";
import { isMixture, mixtureText } from "./cause-mixture.ts";
import { describeCause } from "./describe-cause.ts";

/** A cause as the answer document has it. */
export function presentCause(cause: Cause): document.Cause {
  const { why, responsible, retry, attempts, counted, pods, evidence } = cause;
  return {
    category: categoryOfCause(why),
    responsible,
    retry,
    message: causeText(cause),
    attempts,
    counted,
    ...(pods.length > 0 && { pods }),
    evidence: presentAll(evidence, describeShown),
  };
}

/**
 * A process other than the container's main process ran out of memory: a child process, or one of another container.
 */
const SURVIVED = "its Pod did not fail for it";

/** The cause and how often it occurred: "container work exited with code 3 in 2 of 3 attempts". */
export function causeText(cause: Cause): string {
  if (isMixture(cause)) return mixtureText(cause);
  const { why, attempts, unsuccessful, restarts } = cause;
  const clause = describeCause(why);
  if (why.cause === "refused") return clause;
  if (attempts === 0) return `${clause}; ${restarts === 0 ? SURVIVED : `${count(restarts, "restart")} in place`}`;
  return unsuccessful === 1 ? clause : `${clause} in ${attempts} of ${unsuccessful} attempts`;
}

/** Why the other attempts failed, if one cause decided. Empty if there are no others. */
export function otherCausesText({ shares, why, decides }: Cause): string {
  const others = decides ? shares.filter((share) => share.why !== why) : [];
  const texts = others.map((share) => `${describeCause(share.why)} (${timesOf(share)})`);
  return texts.length === 0 ? "" : `other attempts: ${list(texts)}`;
}

function timesOf({ attempts, restarts, beside = 0 }: CauseShare): number {
  return attempts + restarts + beside;
}

const NOT_COUNTED = "not counted against backoffLimit";

/**
 * Says whether Kubernetes counts the attempts, if something other than the program ended them or a rule ignores them.
 * Empty for failures that count as usual.
 */
export function countedText(cause: Cause): string {
  const { attempts, ignored, ignoredBy } = sumOf(cause);
  if (ignored > 0) {
    const which = ignored === attempts ? "not counted" : `${ignored} of ${attempts} not counted`;
    return `${which}: ${ignoreRuleText(ignoredBy)} of podFailurePolicy`;
  }
  if (attempts === 0 || isMixture(cause) || !isFromOutside(cause.why)) return "";
  return cause.counted === 0 ? NOT_COUNTED : asFailed(cause);
}

/** Says that a Pod whose program succeeded still counts as failed, which readers do not expect. */
function asFailed({ why, answered }: Cause): string {
  if (why.cause === "deleted" && why.exitCode === 0) return "counted as failed";
  return answered === true ? "ended with exit code 0, counted as failed" : "counted against backoffLimit";
}

/** The same in few words, for a headline that is already long. */
export function countedBriefly(cause: Cause): string {
  const { attempts, ignored, ignoredBy } = sumOf(cause);
  if (ignored === 0) return countedText(cause);
  return `${ignored === attempts ? "" : `${ignored} `}not counted (${ignoreRuleText(ignoredBy)})`;
}

/** The attempts to describe: all attempts of a mixture, or those of the one cause. */
function sumOf(cause: Cause): Pick<CauseShare, "attempts" | "ignored" | "ignoredBy"> {
  if (!isMixture(cause)) return cause;
  const { shares } = cause;
  return {
    attempts: shares.reduce((sum, { attempts }) => sum + attempts, 0),
    ignored: shares.reduce((sum, { ignored }) => sum + ignored, 0),
    ignoredBy: [...new Set(shares.flatMap(({ ignoredBy }) => ignoredBy))].sort((a, b) => a - b),
  };
}

function ignoreRuleText(rules: readonly number[]): string {
  return rules.length === 0 ? "an Ignore rule" : `Ignore rule at index ${list(rules.map(String))}`;
}

/** Something other than the program ended the attempt. */
function isFromOutside({ cause }: PodCause): boolean {
  return (
    cause === "preempted" ||
    cause === "evicted" ||
    cause === "refusedByNode" ||
    cause === "nodeLost" ||
    cause === "deleted"
  );
}

function describeShown(shows: CauseShows): string {
  switch (shows.what) {
    case "podEnded":
      return describePodEnd(shows);
    case "waited":
      return `waited: container ${shows.container}, ${shows.reason}`;
    case "unscheduled":
      return `had no node: ${shows.reason}`;
    case "unhealthy":
      return `had device ${shows.device} (${shows.resource}) of container ${shows.container} reported Unhealthy`;
    case "event":
      return `had Event ${shows.reason}${shows.times > 1 ? `, ${shows.times} times` : ""}`;
  }
}

/** How to fix this cause. */
export function remediesForCause<Name extends PodCauseName>(why: PodCauseOf<Name>): readonly string[] {
  return REMEDIES[why.cause](why);
}

/** The remedies of each cause. For attempts that Kubernetes does not count, a policy that ignores them is no remedy. */
export function remediesForCauses({ shares }: Cause): readonly string[] {
  const remedies = shares.flatMap(({ why, attempts, counted }) => {
    const own = remediesForCause(why);
    return attempts > 0 && counted === 0 ? own.filter((remedy) => remedy !== IGNORE_DISRUPTIONS) : own;
  });
  return [...new Set(remedies)];
}

const IGNORE_DISRUPTIONS =
  "Let a podFailurePolicy ignore DisruptionTarget, so that disruptions do not use up backoffLimit.";

const REMEDIES: ByPodCause<readonly string[]> = {
  outOfMemory: memoryRemedies,
  imageNotPulled: ({ reason }) => [IMAGE_REMEDIES.get(reason) ?? CHECK_IMAGE],
  containerNotStarted: ({ details }) => [
    details?.about === "start" && details.problem === "limitTooLow"
      ? "Raise the container's memory limit: the container runtime needs more to start it."
      : "Fix what the container needs to start: the missing object, the command, or the security context.",
  ],
  volumeNotMounted: ({ details }) => [
    (details?.about === "volume" ? VOLUME_REMEDIES.get(details.problem) : undefined) ??
      "Create the object that the volume needs, or fix the volume. `kubectl describe pod` names it.",
  ],
  sandboxFailed: () => ["Check the node's container runtime, its network plugin, and the Pod's RuntimeClass."],
  notScheduled: schedulingRemedies,
  refused: (why) => [refusalRemedy(why)],
  preempted: () => [IGNORE_DISRUPTIONS],
  evicted: evictionRemedies,
  nodeLost: ({ neverRan }) =>
    neverRan === true
      ? ["Check that the node exists, and the Pod template's nodeName if it has one.", IGNORE_DISRUPTIONS]
      : [IGNORE_DISRUPTIONS],
  refusedByNode: ({ reason }) => [
    reason.startsWith("OutOf") || reason === "NodeAffinity"
      ? "Check the node's labels and free resources: the kubelet refused a Pod that was placed on it."
      : "Change what the kubelet does not admit, or the node: `kubectl describe pod` shows its message.",
  ],
  probeFailed: () => ["Check the probe or hook: its timeout, its period, and what it calls."],
  outcomeLost: () => ["Check in the program's own output whether the work was done. Make it safe to run twice."],
  podDeadline: () => ["Raise activeDeadlineSeconds of the Pod template, or make the work shorter."],
  // One sentence says what the audit log lacks about all deletions (audit-policy-text.ts).
  deleted: () => [],
  exited: ({ exitCode, unhealthy }) => [
    ...(unhealthy === undefined ? [] : [`Have device ${unhealthy.device} checked, and keep Pods from it until then.`]),
    EXIT_REMEDIES.get(exitCode) ?? "Read the log of the container: its program failed.",
  ],
};

const CHECK_IMAGE = "Check the image's name and tag, the registry, and the Pod's imagePullSecrets.";
const IMAGE_REMEDIES: ReadonlyMap<string, string> = new Map([
  ["InvalidImageName", "Fix the image's name: it is not a valid reference."],
  ["ErrImageNeverPull", "Load the image onto the node, or change the container's imagePullPolicy, which is Never."],
]);

function schedulingRemedies({ reason, gates, details }: NotScheduled): readonly string[] {
  if (gates !== undefined) return ["Find out what removes the scheduling gate: until then, the Pod gets no node."];
  const causes = new Set(details?.causes.map(({ cause }) => cause));
  if (causes.has("podGroupMissing") || causes.has("podGroupIncomplete")) return POD_GROUP_REMEDIES;
  if (reason === "NotReadyForScheduling") {
    return ["Provide what the Pod waits for, such as its ResourceClaim. `kubectl describe pod` shows the message."];
  }
  if (causes.has("volumeMissing")) return ["Create the PersistentVolumeClaim that the Pod names, or name another one."];
  if (causes.has("volumeUnbound")) return ["Bind the PersistentVolumeClaim: check its storage class and its volumes."];
  return ["Make room, add nodes, or change the Pod's requests, selectors and tolerations."];
}

function memoryRemedies({ memoryLimit, podMemoryLimit }: OutOfMemory): readonly string[] {
  if (podMemoryLimit === undefined) return ["Raise the container's memory limit, or reduce what the program needs."];
  const limits = memoryLimit === undefined ? "the Pod's memory limit" : "the Pod's memory limit and the container's";
  return [`Raise ${limits}, or reduce what its containers need.`];
}

/** The scheduler places no Pod of a PodGroup before the group exists and has enough Pods (KEP-4671). */
export const POD_GROUP_REMEDIES = [
  "Create the PodGroup that the Pods name, and see that as many Pods of it can be created as its minCount says.",
];

const VOLUME_REMEDIES: ReadonlyMap<VolumeDetails["problem"], string> = new Map([
  ["driverMissing", "Install the volume's driver on the node, or keep the Pod from nodes without it."],
  ["inUse", "Wait until the other Pod that uses the volume has ended, or give each Pod a volume of its own."],
  ["pathMissing", "Create the path on the node, or change the type of the hostPath volume."],
]);

function refusalRemedy({ details }: CreationRefused): string {
  if (details?.unreachable === true) {
    return "Bring the webhook's service back, or change its failurePolicy: the API server cannot call it.";
  }
  const remedy = details === undefined ? undefined : REFUSAL_REMEDIES.get(details.by);
  return remedy ?? "Fix what the API server refuses: `kubectl describe job` shows its full message.";
}

const REFUSAL_REMEDIES: ReadonlyMap<Refuser, string> = new Map([
  ["quota", "Free or raise the namespace's ResourceQuota, or lower the Pod's requests and limits."],
  ["webhook", "Change the Pod template to what the webhook admits. `kubectl describe job` shows its message."],
  ["policy", "Change the Pod template to what the policy admits. `kubectl describe job` shows its message."],
  ["podSecurity", "Set the security context that the namespace's Pod Security level requires."],
  ["limitRange", "Change the Pod's requests and limits to fit the namespace's LimitRange."],
  ["priorityClass", "Create the PriorityClass that the Pod template names, or name another one."],
  ["runtimeClass", "Create the RuntimeClass that the Pod template names, or name another one."],
  ["serviceAccount", "Create the ServiceAccount that the Pod template names, or name another one."],
]);

function evictionRemedies(why: Evicted): readonly string[] {
  const { by, resource = "the resource" } = why;
  switch (by) {
    case "nodePressure":
      return pressureRemedies(why);
    case "ownLimit":
      return [`Raise the Pod's limit of ${resource}, or reduce what the program needs.`];
    case "deviceTaint":
      return ["Let the Pod tolerate the device's taint, or have the device repaired.", IGNORE_DISRUPTIONS];
    case "evictionApi":
    case "taint":
    case "nodeShutdown":
    case "unknown":
      return [IGNORE_DISRUPTIONS];
  }
}

function pressureRemedies({ resource = "the resource", withoutCondition }: Evicted): readonly string[] {
  return [
    resource === "pids"
      ? "Reduce the processes on the node, or raise its limit of pids."
      : `Request as much ${resource} as the Pod uses: the kubelet evicts other Pods first.`,
    ...(withoutCondition === true ? [] : [IGNORE_DISRUPTIONS]),
  ];
}

/** A signal comes from outside of the program, so that its log may show nothing. */
const SIGNALLED = "Find out what sent the signal: no fact shows an out-of-memory kill, a failed probe or a deletion.";
const EXIT_REMEDIES: ReadonlyMap<number, string> = new Map([
  [126, "Check the container's command: its file is not executable."],
  [127, "Check the container's command: the shell did not find it."],
  [137, SIGNALLED],
  [143, SIGNALLED],
]);
