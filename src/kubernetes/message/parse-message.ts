import type { MessageDetails } from "../../job/model/message-details.ts";
import { parseEvictionMessage, parseNodeRefusalMessage } from "./eviction-message.ts";
import { parseImageMessage } from "./image-message.ts";
import { MAX_PARSED_LENGTH, type MessageOptions, type ParseMessage } from "./message-grammar.ts";
import { parseMissingObjectMessage } from "./missing-object-message.ts";
import {
  parseKillingMessage,
  parsePostStartMessage,
  parsePreStopMessage,
  parseUnhealthyMessage,
} from "./probe-message.ts";
import { parseQueueMessage } from "./queue-message.ts";
import { parseRefusalMessage } from "./refusal-message.ts";
import { parseRelatedPodMessage } from "./related-pod-message.ts";
import { parseSchedulingMessage } from "./scheduling-message.ts";
import { parseStartMessage } from "./start-message.ts";
import { parseVolumeMessage } from "./volume-message.ts";

/** The parsers of messages, by reason. Nothing of a message with another reason leaves the cluster. */
const PARSERS: ReadonlyMap<string, ParseMessage> = new Map([
  // Condition PodScheduled, and the Event FailedScheduling.
  ["Unschedulable", parseSchedulingMessage],
  ["SchedulingGated", parseSchedulingMessage],
  ["FailedScheduling", parseSchedulingMessage],
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
  ["Preempted", parseRelatedPodMessage],
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
