/**
 * The content of a Kubernetes message as data: numbers, words of a fixed list, and names that facts contain anyway.
 * Messages can repeat program output, commands, image names and Secret names, so by default their text stays in the
 * cluster (docs/facts.md).
 */
export type MessageDetails =
  | SchedulingDetails
  | RefusalDetails
  | MissingObjectDetails
  | ImageDetails
  | StartDetails
  | ProbeDetails
  | EvictionDetails
  | VolumeDetails
  | PolicyDetails
  | RelatedPodDetails
  | PreemptorDetails
  | QueueDetails;

/** Why the scheduler found no node: "0/14 nodes are available: 12 Insufficient cpu". */
export interface SchedulingDetails {
  readonly about: "scheduling";
  /** How many nodes the scheduler considered; absent if the message contains no number. */
  readonly nodes?: number;
  readonly causes: readonly SchedulingCause[];
}
export interface SchedulingCause {
  readonly cause: SchedulingObstacle;
  /** How many nodes it excludes; absent if it excludes all of them. */
  readonly nodes?: number;
  /** For `insufficient`: "cpu", "memory", "nvidia.com/gpu". */
  readonly resource?: string;
}
export type SchedulingObstacle =
  | "insufficient"
  | "nodeSelector"
  | "taint"
  | "cordoned"
  | "podAffinity"
  | "topologySpread"
  | "hostPort"
  | "volume"
  | "volumeUnbound"
  | "volumeMissing"
  | "resourceClaim"
  | "gated"
  /** The PodGroup of the Pod does not exist (KEP-4671). */
  | "podGroupMissing"
  /** The PodGroup has fewer Pods than it needs. */
  | "podGroupIncomplete"
  | "other";

/** Why the API server refused to create a Pod. */
export interface RefusalDetails {
  readonly about: "refusal";
  readonly by: Refuser;
  /** The webhook, the policy, or the Pod Security level. */
  readonly name?: string;
  /** For `quota` and `limitRange`: the resources that were exceeded. */
  readonly resources?: readonly ExceededResource[];
  /** The API server could not call the webhook, so the webhook decided nothing. */
  readonly unreachable?: true;
}
export type Refuser =
  | "quota"
  | "limitRange"
  | "podSecurity"
  | "webhook"
  | "policy"
  | "serviceAccount"
  | "priorityClass"
  | "runtimeClass"
  | "namespaceTerminating"
  | "invalid"
  | "forbidden"
  | "unavailable";
export interface ExceededResource {
  readonly resource: string;
  /** Quantities as Kubernetes writes them: "500m", "2Gi". */
  readonly requested?: string;
  readonly used?: string;
  readonly limit?: string;
}

/** An object that a container, a volume or a Pod needs does not exist. */
export interface MissingObjectDetails {
  readonly about: "missing";
  readonly object: MissingObject;
  /** Only with `--include-names`. */
  readonly name?: string;
}
export type MissingObject =
  | "ConfigMap"
  | "ConfigMap key"
  | "Secret"
  | "Secret key"
  | "ServiceAccount"
  | "PersistentVolumeClaim";

/** Why an image could not be pulled or used. */
export interface ImageDetails {
  readonly about: "image";
  readonly problem: ImageProblem;
}
export type ImageProblem =
  | "notFound"
  | "unauthorized"
  | "unreachable"
  | "timeout"
  | "rateLimited"
  | "invalidName"
  | "noMatchingPlatform"
  | "notPresent"
  | "diskFull";

/** Why a container, or the sandbox of a Pod, could not be created or started. */
export interface StartDetails {
  readonly about: "start";
  readonly problem: StartProblem;
}
export type StartProblem =
  | "programNotFound"
  | "permissionDenied"
  | "wrongFormat"
  | "noCommand"
  | "runsAsRoot"
  | "mountFailed"
  | "timeout"
  | "network"
  | "workingDir"
  | "profileMissing"
  | "limitTooLow"
  | "variableMissing"
  | "nameInUse"
  | "diskFull"
  | "device"
  | "noRuntimeHandler"
  | "unsupported"
  | "userMissing"
  | "sandboxImage"
  | "noAddress"
  | "runtimeUnavailable";

/** A probe or a lifecycle hook failed. */
export interface ProbeDetails {
  readonly about: "probe";
  readonly probe: ProbeKind;
  readonly container?: string;
}
export type ProbeKind = "liveness" | "startup" | "readiness" | "postStart" | "preStop";

/** Which resource the kubelet evicted a Pod for, or refused it for. */
export interface EvictionDetails {
  readonly about: "eviction";
  readonly resource: string;
  /** The Pod exceeded a limit of its own; absent: the node was short of the resource. */
  readonly ownLimit?: true;
}

/** A volume could not be attached or mounted. */
export interface VolumeDetails {
  readonly about: "volume";
  readonly problem: VolumeProblem;
}
export type VolumeProblem =
  | "timeout"
  | "inUse"
  | "attachFailed"
  | "mountFailed"
  | "driverMissing"
  | "pathMissing"
  | "accessDenied"
  | "notRegistered";

/** Which rule of a pod failure policy decided, and what matched it. */
export interface PolicyDetails {
  readonly about: "policyRule";
  readonly action: "FailJob" | "FailIndex";
  readonly rule: number;
  readonly pod: string;
  readonly container?: string;
  readonly exitCode?: number;
  readonly condition?: string;
}

/** The Pod that an Event of a Job, or of another Pod, is about: a name or a uid. */
export interface RelatedPodDetails {
  readonly about: "pod";
  readonly name: string;
}

/** A group of Pods for which the scheduler preempted a Pod (KEP-5710). A preemptor that is a Pod is not stated. */
export interface PreemptorDetails {
  readonly about: "preemptor";
  readonly kind: "PodGroup" | "CompositePodGroup";
  /** Only in the Event. */
  readonly uid?: string;
}

/** The queue in an Event of Kueue. */
export interface QueueDetails {
  readonly about: "queue";
  readonly queue: string;
}
