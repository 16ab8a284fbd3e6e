import type {
  EvictionDetails,
  ImageDetails,
  MessageDetails,
  MissingObjectDetails,
  RefusalDetails,
  ProbeKind,
  SchedulingDetails,
  StartDetails,
  VolumeDetails,
} from "../model/message-details.ts";
import type { NodeLifecycleType, UnhealthyDevice } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";

/** A container, and what it is to its Pod. */
export interface ContainerRef {
  readonly container: string;
  readonly role: "main" | "init" | "sidecar";
}

/** Why one Pod, or one run of its containers, did not succeed. It contains no text: `src/explain` describes it. */
export type PodCause =
  | OutOfMemory
  | ImageNotPulled
  | ContainerNotStarted
  | VolumeNotMounted
  | SandboxFailed
  | NotScheduled
  | CreationRefused
  | Preempted
  | Evicted
  | RefusedByNode
  | ProbeFailed
  | NodeLost
  | OutcomeLost
  | PodDeadlineExceeded
  | PodDeleted
  | Exited;

export type PodCauseName = PodCause["cause"];
export type PodCauseOf<Name extends PodCauseName> = {
  [N in Name]: Extract<PodCause, { readonly cause: N }>;
}[Name];
/** One function for each cause. */
export type ByPodCause<Result> = { readonly [Name in PodCauseName]: (why: PodCauseOf<Name>) => Result };

/** The API server refused to create Pods. */
export interface CreationRefused {
  readonly cause: "refused";
  readonly details?: RefusalDetails;
  /** At least that often, because Events are lossy. */
  readonly times: number;
  /** It refused further Pods: the Job has others. */
  readonly hasPods?: true;
}
export interface OutOfMemory extends ContainerRef {
  readonly cause: "outOfMemory";
  /** 137 if the container's own process was killed. Any other code means that it survived a killed child process. */
  readonly exitCode: number;
  readonly memoryLimit?: string;
  /** The limit of its Pod, which may be the one that was exceeded (KEP-2837). */
  readonly podMemoryLimit?: string;
}
export interface ImageNotPulled extends ContainerRef {
  readonly cause: "imageNotPulled";
  /** "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull". */
  readonly reason: string;
  readonly problem?: ImageDetails["problem"];
  readonly since: Instant;
}
export interface ContainerNotStarted extends ContainerRef {
  readonly cause: "containerNotStarted";
  /** "CreateContainerConfigError", "StartError", "RunContainerError". */
  readonly reason: string;
  readonly details?: StartDetails | MissingObjectDetails;
  readonly since?: Instant;
}
export interface VolumeNotMounted {
  readonly cause: "volumeNotMounted";
  /** "FailedMount", "FailedAttachVolume". */
  readonly reason: string;
  readonly details?: VolumeDetails | MissingObjectDetails;
  readonly since: Instant;
}
/** The kubelet could not set up the Pod on its node, so that no container was created. */
export interface SandboxFailed {
  readonly cause: "sandboxFailed";
  /** "FailedCreatePodSandBox", "NetworkNotReady", "FailedPrepareDynamicResources". */
  readonly reason: string;
  readonly details?: StartDetails | MissingObjectDetails;
  readonly node?: string;
  readonly since: Instant;
}
export interface NotScheduled {
  readonly cause: "notScheduled";
  /** "Unschedulable", "SchedulingGated". */
  readonly reason: string;
  readonly details?: SchedulingDetails;
  readonly gates?: readonly string[];
  /** The PodGroup that the scheduler places it with. */
  readonly podGroup?: string;
  readonly since: Instant;
}
export interface Preempted {
  readonly cause: "preempted";
  /** For a group of Pods (KEP-5710). Absent: for a Pod. */
  readonly by?: "PodGroup" | "CompositePodGroup";
  readonly node?: string;
}
export interface Evicted {
  readonly cause: "evicted";
  readonly by: "nodePressure" | "evictionApi" | "taint" | "deviceTaint" | "ownLimit" | "nodeShutdown" | "unknown";
  readonly resource?: EvictionDetails["resource"];
  readonly node?: string;
  /** The lifecycle condition of its node. */
  readonly during?: NodeLifecycleType;
  /** Who requested the eviction. */
  readonly requesters?: readonly string[];
  /** The Pod has no condition DisruptionTarget, as when the kubelet does not admit it: no policy can ignore that. */
  readonly withoutCondition?: true;
}
export interface RefusedByNode {
  readonly cause: "refusedByNode";
  /** "NodeAffinity", "OutOfcpu", "UnexpectedAdmissionError", "SysctlForbidden". */
  readonly reason: string;
  readonly resource?: string;
  readonly node?: string;
  /** The program had run before: the kubelet refused the Pod after it had restarted. */
  readonly hadRun: boolean;
}
export interface ProbeFailed extends ContainerRef {
  readonly cause: "probeFailed";
  readonly probe: ProbeKind;
  readonly exitCode: number;
}
export interface NodeLost {
  readonly cause: "nodeLost";
  readonly node?: string;
  /** No container was ever reported to run, so it is likely that none did. */
  readonly neverRan?: true;
}
/** The container runtime or the kubelet lost the container: whether the program succeeded is unknown. */
export interface OutcomeLost extends Partial<ContainerRef> {
  readonly cause: "outcomeLost";
  readonly by: "runtime" | "kubelet" | "deletion";
  readonly node?: string;
}
export interface PodDeadlineExceeded {
  readonly cause: "podDeadline";
  readonly seconds?: number;
}
export interface PodDeleted {
  readonly cause: "deleted";
  /** The exit code after the deletion; absent if the container never ran. */
  readonly exitCode?: number;
  /** The last part of the user or service account; "unknown" if no fact shows who it was. */
  readonly actor: string;
  readonly confidence: "certain" | "likely" | "possible";
  /** The lifecycle condition of its node, if nothing else explains the deletion. */
  readonly during?: NodeLifecycleType;
  /** Who requested its eviction. */
  readonly requesters?: readonly string[];
}
export interface Exited extends ContainerRef {
  readonly cause: "exited";
  readonly exitCode: number;
  readonly signal?: number;
  /** A device of the container that was reported Unhealthy until then (KEP-4680). */
  readonly unhealthy?: Omit<UnhealthyDevice, "container">;
  /** A rule restarted all containers of the Pod for it (KEP-5532). */
  readonly restartedAll?: true;
}

/** Details of one kind, or none. */
export function detailsAbout<About extends MessageDetails["about"]>(
  details: MessageDetails | undefined,
  ...abouts: readonly About[]
): Extract<MessageDetails, { readonly about: About }> | undefined {
  return isAbout(details, abouts) ? details : undefined;
}

function isAbout<About extends MessageDetails["about"]>(
  details: MessageDetails | undefined,
  abouts: readonly About[],
): details is Extract<MessageDetails, { readonly about: About }> {
  return details !== undefined && abouts.some((about) => about === details.about);
}
