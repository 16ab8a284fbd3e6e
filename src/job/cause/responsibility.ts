import type {
  ImageProblem,
  MissingObjectDetails,
  SchedulingObstacle,
  StartDetails,
  StartProblem,
  VolumeProblem,
} from "../model/message-details.ts";
import type {
  CreationRefused,
  Evicted,
  Exited,
  ImageNotPulled,
  NotScheduled,
  OutcomeLost,
  PodCauseName,
  PodCauseOf,
  ProbeFailed,
  RefusedByNode,
  VolumeNotMounted,
} from "./pod-cause.ts";

/** Who has to act on a cause. `limit`: a limit that the Job or its Pods set themselves. */
export const RESPONSIBLE = ["program", "configuration", "platform", "person", "limit", "unknown"] as const;

/** What the next run needs in order not to fail for the same cause. */
export const RETRIES = [
  "same",
  "more-memory",
  "other-node",
  "more-time",
  "after-a-fix",
  "pointless",
  "unknown",
] as const;

export interface Responsibility {
  readonly responsible: (typeof RESPONSIBLE)[number];
  readonly retry: (typeof RETRIES)[number];
}

/** What a cause does not contain, and its responsibility depends on. */
export interface CauseSigns {
  /** The responsibility for the deletion of the Pod. */
  readonly deletion?: Responsibility;
  /** A Pod of the Job has had a node, so its requests have fitted before. */
  readonly hadNode?: boolean;
  /** The node became unready shortly before the container ended. */
  readonly wasNodeUnready?: boolean;
  /** Its node is likely to fail the next Pod too (`unfit-nodes.ts`). */
  readonly isNodeUnfit?: boolean;
  /** A rule FailJob or FailIndex of the Job's podFailurePolicy matched: a retry is pointless by the Job's own spec. */
  readonly isFinalByPolicy?: boolean;
}

export const PLATFORM: Responsibility = { responsible: "platform", retry: "same" };
export const MORE_TIME: Responsibility = { responsible: "limit", retry: "more-time" };
export const UNKNOWN: Responsibility = { responsible: "unknown", retry: "unknown" };
const FIX: Responsibility = { responsible: "configuration", retry: "after-a-fix" };
const PROGRAM: Responsibility = { responsible: "program", retry: "unknown" };

/**
 * Who is responsible for a cause, and whether a retry helps. `docs/answers/responsibility.md` is the same table in
 * words.
 */
export function responsibilityOf<Name extends PodCauseName>(why: PodCauseOf<Name>, signs: CauseSigns): Responsibility {
  const found = RULES[why.cause](why, signs);
  const isOther = found.responsible === "platform" && signs.isNodeUnfit === true;
  return isOther ? { ...found, retry: "other-node" } : found;
}

type Rules = { readonly [Name in PodCauseName]: (why: PodCauseOf<Name>, signs: CauseSigns) => Responsibility };

const RULES: Rules = {
  outOfMemory: ({ memoryLimit, podMemoryLimit = memoryLimit }) =>
    podMemoryLimit === undefined ? PLATFORM : { responsible: "limit", retry: "more-memory" },
  imageNotPulled: ofImage,
  containerNotStarted: ({ details }) => (details === undefined ? FIX : ofSetup(details)),
  volumeNotMounted: ofVolume,
  sandboxFailed: ({ details }) => (details === undefined ? PLATFORM : ofSetup(details)),
  notScheduled: ofScheduling,
  refused: ofRefusal,
  preempted: () => PLATFORM,
  evicted: ofEviction,
  refusedByNode: ofNodeRefusal,
  probeFailed: ofProbe,
  nodeLost: () => PLATFORM,
  outcomeLost: ofLostOutcome,
  podDeadline: () => MORE_TIME,
  deleted: (_, { deletion = UNKNOWN }) => deletion,
  exited: ofExit,
};

const IMAGE_PROBLEMS: Readonly<Record<ImageProblem, Responsibility>> = {
  notFound: FIX,
  unauthorized: FIX,
  invalidName: FIX,
  noMatchingPlatform: FIX,
  notPresent: FIX,
  unreachable: PLATFORM,
  timeout: PLATFORM,
  rateLimited: PLATFORM,
  diskFull: PLATFORM,
};
/** Reasons that need no message to be understood. */
const IMAGE_REASONS: ReadonlyMap<string, Responsibility> = new Map([
  ["InvalidImageName", FIX],
  ["ErrImageNeverPull", FIX],
  ["SignatureValidationFailed", FIX],
  ["RegistryUnavailable", PLATFORM],
]);

function ofImage({ reason, problem }: ImageNotPulled): Responsibility {
  if (problem !== undefined) return IMAGE_PROBLEMS[problem];
  return IMAGE_REASONS.get(reason) ?? UNKNOWN;
}

/** Why a container or a sandbox could not be set up: by the Pod's own spec, or by its node. */
const START_PROBLEMS: Readonly<Record<StartProblem, Responsibility>> = {
  programNotFound: FIX,
  permissionDenied: FIX,
  wrongFormat: FIX,
  noCommand: FIX,
  runsAsRoot: FIX,
  mountFailed: FIX,
  workingDir: FIX,
  profileMissing: FIX,
  limitTooLow: FIX,
  variableMissing: FIX,
  noRuntimeHandler: FIX,
  unsupported: FIX,
  userMissing: FIX,
  timeout: PLATFORM,
  network: PLATFORM,
  nameInUse: PLATFORM,
  diskFull: PLATFORM,
  device: PLATFORM,
  sandboxImage: PLATFORM,
  noAddress: PLATFORM,
  runtimeUnavailable: PLATFORM,
};

function ofSetup(details: StartDetails | MissingObjectDetails): Responsibility {
  return details.about === "missing" ? FIX : START_PROBLEMS[details.problem];
}

const VOLUME_PROBLEMS: Readonly<Record<VolumeProblem, Responsibility>> = {
  driverMissing: FIX,
  pathMissing: FIX,
  accessDenied: FIX,
  timeout: PLATFORM,
  inUse: PLATFORM,
  attachFailed: PLATFORM,
  mountFailed: PLATFORM,
  notRegistered: PLATFORM,
};

function ofVolume({ reason, details }: VolumeNotMounted): Responsibility {
  if (details === undefined) return reason === "FailedAttachVolume" ? PLATFORM : UNKNOWN;
  return details.about === "missing" ? FIX : VOLUME_PROBLEMS[details.problem];
}

/** Whether room on a node may still appear. `size`: only if a Pod of the Job has fitted before. */
const OBSTACLES: Readonly<Record<SchedulingObstacle, "never" | "later" | "size" | "unknown">> = {
  nodeSelector: "never",
  taint: "never",
  volume: "never",
  volumeUnbound: "never",
  volumeMissing: "never",
  insufficient: "size",
  cordoned: "later",
  podAffinity: "later",
  topologySpread: "later",
  hostPort: "later",
  resourceClaim: "later",
  gated: "unknown",
  podGroupMissing: "never",
  podGroupIncomplete: "unknown",
  other: "unknown",
};

/**
 * A Pod fits as soon as one node takes it. Facts contain no capacities of nodes: if no Pod of the Job has ever had a
 * node, its requests count as too large for each of them.
 */
function ofScheduling({ details, gates }: NotScheduled, { hadNode = false }: CauseSigns): Responsibility {
  if (details === undefined || gates !== undefined) return UNKNOWN;
  if (details.nodes === 0) return PLATFORM;
  const room = details.causes.map(({ cause }) => OBSTACLES[cause]);
  if (room.includes("later") || (hadNode && room.includes("size"))) return PLATFORM;
  return room.length === 0 || room.includes("unknown") ? UNKNOWN : FIX;
}

/** A namespace that is being deleted never accepts a Pod again. */
function ofRefusal({ details }: CreationRefused): Responsibility {
  if (details?.by === "namespaceTerminating") return { responsible: "unknown", retry: "pointless" };
  return details?.unreachable === true || details?.by === "unavailable" ? PLATFORM : FIX;
}

function ofEviction({ by, resource }: Evicted): Responsibility {
  if (by !== "ownLimit") return PLATFORM;
  return { responsible: "limit", retry: resource === "memory" ? "more-memory" : "after-a-fix" };
}

/** Reasons in the Pod's own spec. */
const SPEC_REFUSALS: ReadonlySet<string> = new Set([
  "AppArmor",
  "SysctlForbidden",
  "PodOSNotSupported",
  "PodOSSelectorNodeLabelDoesNotMatch",
]);

/** The scheduler respects selectors, so a Pod whose selector its node never matched has a `nodeName` in its spec. */
function ofNodeRefusal({ reason, hadRun }: RefusedByNode): Responsibility {
  const isBySpec = SPEC_REFUSALS.has(reason) || (reason === "NodeAffinity" && !hadRun);
  return isBySpec ? FIX : PLATFORM;
}

/** A probe shows that the program did not answer. A hook is part of the Pod's spec. */
function ofProbe({ probe }: ProbeFailed): Responsibility {
  return probe === "postStart" || probe === "preStop" ? FIX : PROGRAM;
}

function ofLostOutcome({ by }: OutcomeLost, { deletion = UNKNOWN }: CauseSigns): Responsibility {
  return by === "deletion" ? deletion : PLATFORM;
}

/** A shell's exit codes for a command that it cannot run. */
const NO_COMMAND: ReadonlySet<number> = new Set([126, 127]);
/** SIGKILL and SIGTERM come from outside of the program, and by themselves do not show from where. */
const FROM_OUTSIDE: ReadonlySet<number> = new Set([9, 15]);
const SIGNAL_BASE = 128;

function ofExit({ exitCode, signal = exitCode - SIGNAL_BASE, unhealthy }: Exited, signs: CauseSigns): Responsibility {
  if (unhealthy !== undefined) return { responsible: "platform", retry: "other-node" };
  if (NO_COMMAND.has(exitCode)) return FIX;
  const isKilled = FROM_OUTSIDE.has(signal);
  if (isKilled && signs.wasNodeUnready === true) return PLATFORM;
  const found = isKilled ? UNKNOWN : PROGRAM;
  return signs.isFinalByPolicy === true ? { ...found, retry: "pointless" } : found;
}
