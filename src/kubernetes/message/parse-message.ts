import type { MessageDetails, PreemptorDetails } from "../../job/model/message-details.ts";
import {
  parseEvictionMessage,
  parseKillingMessage,
  parseNodeRefusalMessage,
  parsePostStartMessage,
  parsePreStopMessage,
  parseUnhealthyMessage,
} from "./kubelet-message.ts";
import { isObjectName, MAX_PARSED_LENGTH, type MessageOptions, type ParseMessage } from "./message-grammar.ts";
import { parseRefusalMessage } from "./refusal-message.ts";
import { parseNotReadyMessage, parseSchedulingMessage } from "./scheduling-message.ts";
import {
  parseImageMessage,
  parseMissingObjectMessage,
  parseStartMessage,
  parseVolumeMessage,
} from "./start-message.ts";

/** The other Pod of an Event: "Created pod: report-x7k2p", "Deleted pod: ...", "Preempted by pod UID on node ...". */
const parseRelatedPodMessage: ParseMessage = (message) => {
  const name = CREATED.exec(message)?.[1] ?? PREEMPTED.exec(message)?.[1];
  return name !== undefined && isObjectName(name) ? { about: "pod", name } : undefined;
};

const CREATED = /^(?:Created|Deleted) pod: (\S+)$/;
const PREEMPTED = /^Preempted by (?:a )?pod ([0-9a-f-]{36}) on node \S+$/;

/** The group of Pods for which a Pod was preempted: the condition has its kind, the Event also its uid (KEP-5710). */
function parsePreemptor(message: string): MessageDetails | undefined {
  const [, name, uid] = PREEMPTED_BY_GROUP.exec(message) ?? PREEMPTING_FOR_GROUP.exec(message) ?? [];
  const kind = GROUPS.get(name ?? "");
  return kind === undefined ? undefined : { about: "preemptor", kind, ...(uid !== undefined && { uid }) };
}

const PREEMPTED_BY_GROUP = /^Preempted by (podgroup|compositepodgroup) ([0-9a-f-]{36}) on node \S+/;
const PREEMPTING_FOR_GROUP = /: preempting to accommodate a higher priority (podgroup|compositepodgroup)$/;
const GROUPS: ReadonlyMap<string, PreemptorDetails["kind"]> = new Map([
  ["podgroup", "PodGroup"],
  ["compositepodgroup", "CompositePodGroup"],
]);

/** Kueue's Event Started: "Admitted by clusterQueue gold". */
const parseQueueMessage: ParseMessage = (message) => {
  const queue = /^Admitted by cluster ?Queue ([^\s,]+)(?:, .*)?$/i.exec(message)?.[1];
  return queue !== undefined && isObjectName(queue) ? { about: "queue", queue } : undefined;
};

/** The parsers of messages, by reason. Nothing of a message with another reason leaves the cluster. */
const PARSERS: ReadonlyMap<string, ParseMessage> = new Map([
  // Condition PodScheduled, and the Event FailedScheduling.
  ["Unschedulable", parseSchedulingMessage],
  ["SchedulingGated", parseSchedulingMessage],
  ["FailedScheduling", parseSchedulingMessage],
  ["NotReadyForScheduling", parseNotReadyMessage],
  // Why a container waits, or could not be started.
  ["ErrImagePull", parseImageMessage],
  ["ImagePullBackOff", parseImageMessage],
  ["ErrImageNeverPull", parseImageMessage],
  ["InvalidImageName", parseImageMessage],
  ["RegistryUnavailable", parseImageMessage],
  ["InspectFailed", parseImageMessage],
  ["CreateContainerConfigError", parseStartMessage],
  ["CreateContainerError", parseStartMessage],
  ["RunContainerError", parseStartMessage],
  ["StartError", parseStartMessage],
  ["ContainerCannotRun", parseStartMessage],
  // Why a Pod failed.
  ["Evicted", parseEvictionMessage],
  ["OutOfcpu", parseNodeRefusalMessage],
  ["OutOfmemory", parseNodeRefusalMessage],
  ["OutOfpods", parseNodeRefusalMessage],
  ["UnexpectedAdmissionError", parseNodeRefusalMessage],
  // Events about Pods.
  ["Failed", (message, options) => parseMissingObjectMessage(message, options) ?? failedPull(message, options)],
  ["FailedMount", parseVolumeMessage],
  ["FailedAttachVolume", parseVolumeMessage],
  ["FailedMapVolume", parseVolumeMessage],
  ["FailedCreatePodSandBox", parseStartMessage],
  ["FailedCreatePodContainer", parseStartMessage],
  ["FailedPrepareDynamicResources", parseStartMessage],
  ["NetworkNotReady", parseStartMessage],
  ["Unhealthy", parseUnhealthyMessage],
  ["Killing", parseKillingMessage],
  ["FailedPostStartHook", parsePostStartMessage],
  ["FailedPreStopHook", parsePreStopMessage],
  ["Preempted", (message, options) => parsePreemptor(message) ?? parseRelatedPodMessage(message, options)],
  // Condition DisruptionTarget.
  ["PreemptionByScheduler", parsePreemptor],
  // Events about Jobs.
  ["SuccessfulCreate", parseRelatedPodMessage],
  ["SuccessfulDelete", parseRelatedPodMessage],
  ["FailedCreate", parseRefusalMessage],
  ["Started", parseQueueMessage],
]);

/** `message` as data; `undefined` where there is no parser for its reason, or where it has an unknown form. */
export function messageDetails(
  reason: string,
  message: string | undefined,
  options: MessageOptions,
): MessageDetails | undefined {
  if (message === undefined) return undefined;
  return PARSERS.get(reason)?.(message.slice(0, MAX_PARSED_LENGTH), options);
}

function failedPull(message: string, options: MessageOptions): MessageDetails | undefined {
  return message.startsWith("Failed to pull image") ? parseImageMessage(message, options) : undefined;
}
