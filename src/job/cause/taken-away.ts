import { detailsAbout, type Evicted, type PodCause, type Preempted } from "./pod-cause.ts";
import { requestedEviction } from "../attribution/requested-eviction.ts";
import { hasRunContainer } from "./never-ran.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import type { PodDisrupted } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import { nodeLifecycleAt } from "../attribution/node-lifecycle.ts";
import { goneBy, unreadyBetween } from "../model/node-readiness.ts";
import { compareOrder } from "../model/order.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** Why something outside of the program ended the Pod: preemption, eviction, a refusal or the loss of its node. */
export function causeOfTaking(pod: PodRecord, context: ClusterContext): PodCause | undefined {
  return disrupted(pod, context) ?? reasonOfPod(pod, context) ?? lostNode(pod, context);
}

/** The scheduler's reasons; alpha servers wrote the second one. */
const PREEMPTIONS: ReadonlySet<string> = new Set(["PreemptionByScheduler", "PreemptionByKubeScheduler"]);

/** What condition DisruptionTarget (KEP-3329) says about the end of the Pod. */
function disrupted(pod: PodRecord, context: ClusterContext): PodCause | undefined {
  const disruption = disruptionBeforeEnd(pod);
  if (disruption === undefined) return undefined;
  const node = nodeOf(pod);
  if (PREEMPTIONS.has(disruption.reason)) return { cause: "preempted", ...preemptorIn(disruption), ...node };
  switch (disruption.reason) {
    case "EvictionByEvictionAPI":
      return { cause: "evicted", by: "evictionApi", ...node, ...requestOrLifecycle(pod, context) };
    case "DeletionByPodGC":
      return nodeLost(pod);
    case "DeletionByDeviceTaintManager":
      return { cause: "evicted", by: "deviceTaint", ...node };
    case "DeletionByTaintManager":
      return isNodeLost(pod, context) ? nodeLost(pod) : { cause: "evicted", by: "taint", ...node };
    case "TerminationByKubelet":
      return reasonOfPod(pod, context) ?? { cause: "evicted", by: "nodePressure", ...node };
  }
  return { cause: "evicted", by: "unknown", ...node };
}

function preemptorIn({ details }: PodDisrupted): Pick<Preempted, "by"> {
  const by = detailsAbout(details, "preemptor")?.kind;
  return by === undefined ? {} : { by };
}

/**
 * The condition is written before a Pod is deleted; the kubelet writes it together with the phase. A condition from
 * after the end says nothing about the end.
 */
function disruptionBeforeEnd({ disrupted: disruption, failed }: PodRecord): PodRecord["disrupted"] {
  if (disruption === undefined || failed === undefined) return disruption;
  return compareOrder(disruption, failed) > 0 ? undefined : disruption;
}

/** Who requested the eviction; else what was done to the node. */
function requestOrLifecycle(pod: PodRecord, context: ClusterContext): Pick<Evicted, "requesters" | "during"> {
  const request = requestedEviction(pod, context);
  return request === undefined ? lifecycle(pod, context) : { requesters: request.requesters };
}

function lifecycle(pod: PodRecord, context: ClusterContext): Pick<Evicted, "during"> {
  const fact = pod.disrupted ?? pod.deletionRequested ?? pod.failed;
  const found = fact && nodeLifecycleAt(pod.scheduled?.node, instantOf(fact), context);
  return found === undefined ? {} : { during: found.state.type };
}

/** `status.reason` of the Pod, as the kubelet and earlier controllers write it. */
function reasonOfPod(pod: PodRecord, context: ClusterContext): PodCause | undefined {
  const { reason = "" } = pod.failed ?? {};
  const node = nodeOf(pod);
  switch (reason) {
    case "Evicted":
      return evictedByKubelet(pod);
    case "Preempting":
      return { cause: "preempted", ...node };
    case "NodeShutdown":
    case "Shutdown":
    case "Terminated":
      return { cause: "evicted", by: "nodeShutdown", ...node, ...lifecycle(pod, context) };
    case "NodeLost":
      return nodeLost(pod);
    case "DeadlineExceeded":
      return podDeadline(pod);
  }
  return refusedByNode(pod, reason);
}

function refusedByNode(pod: PodRecord, reason: string): PodCause | undefined {
  if (!isRefusal(pod, reason)) return undefined;
  const resource = detailsAbout(pod.failed?.details, "eviction")?.resource ?? resourceIn(reason);
  return {
    cause: "refusedByNode",
    reason,
    ...(resource !== undefined && { resource }),
    ...nodeOf(pod),
    hadRun: hasRunContainer(pod),
  };
}

function evictedByKubelet(pod: PodRecord): PodCause {
  const details = detailsAbout(pod.failed?.details, "eviction");
  const isOwn = details?.ownLimit === true;
  return {
    cause: "evicted",
    by: isOwn ? "ownLimit" : "nodePressure",
    ...(details !== undefined && { resource: details.resource }),
    ...nodeOf(pod),
    ...(!isOwn && pod.disrupted === undefined && { withoutCondition: true }),
  };
}

function podDeadline({ created }: PodRecord): PodCause {
  const seconds = created?.activeDeadlineSeconds;
  return { cause: "podDeadline", ...(seconds !== undefined && { seconds }) };
}

/** Reasons with which the kubelet refuses a Pod that may have run before it restarted (`pkg/kubelet/lifecycle`). */
const REFUSALS: ReadonlySet<string> = new Set([
  "NodeAffinity",
  "NodeName",
  "NodePorts",
  "NodeResources",
  "Taint/toleration",
  "TaintToleration",
  "AppArmor",
  "UnexpectedAdmissionError",
  "TopologyAffinityError",
  "SMTAlignmentError",
  "InvalidNodeInfo",
  "PodOSNotSupported",
  "PodOSSelectorNodeLabelDoesNotMatch",
]);

/** Before a container has run, only the kubelet's admission gives a Pod on its node a reason to fail. */
function isRefusal(pod: PodRecord, reason: string): boolean {
  if (reason.startsWith(OUT_OF) || REFUSALS.has(reason)) return true;
  return reason !== "" && pod.scheduled !== undefined && !hasRunContainer(pod);
}

const OUT_OF = "OutOf";

function resourceIn(reason: string): string | undefined {
  return reason.startsWith(OUT_OF) ? reason.slice(OUT_OF.length) : undefined;
}

/**
 * Pod GC ends the Pods of a lost node while their containers still count as running. Earlier servers delete them as
 * they are.
 */
function lostNode(pod: PodRecord, context: ClusterContext): PodCause | undefined {
  const { failed } = pod;
  const mayBeLost = failed === undefined || failed.stillRunning !== undefined;
  return mayBeLost && isNodeLost(pod, context) ? nodeLost(pod) : undefined;
}

function nodeLost(pod: PodRecord): PodCause {
  return { cause: "nodeLost", ...nodeOf(pod), ...(!hasRunContainer(pod) && { neverRan: true }) };
}

function isNodeLost(pod: PodRecord, context: ClusterContext): boolean {
  const fact = pod.deletionRequested ?? pod.disrupted ?? pod.deleted ?? pod.vanished;
  if (fact === undefined) return false;
  const node = pod.scheduled?.node;
  const at = instantOf(fact);
  return goneBy(node, at, context) !== undefined || unreadyBetween(node, { from: at, to: at }, context) !== undefined;
}

function nodeOf({ scheduled }: PodRecord): { readonly node?: string } {
  return scheduled === undefined ? {} : { node: scheduled.node };
}
