import type {
  ImageProblem,
  MissingObjectDetails,
  ProbeKind,
  RefusalDetails,
  SchedulingCause,
  SchedulingDetails,
  StartDetails,
  StartProblem,
  VolumeDetails,
  VolumeProblem,
} from "../../job/model/message-details.ts";
import { list } from "../../job/text/sentence.ts";

const OBSTACLES = {
  insufficient: "Insufficient resources",
  nodeSelector: "node selector mismatch",
  taint: "untolerated taint",
  cordoned: "cordoned",
  podAffinity: "Pod affinity mismatch",
  topologySpread: "topology spread",
  hostPort: "host port is taken",
  volume: "volume not usable",
  volumeUnbound: "PersistentVolumeClaim is not bound",
  volumeMissing: "PersistentVolumeClaim does not exist",
  resourceClaim: "resource claim",
  gated: "a scheduling gate is on",
  podGroupMissing: "its PodGroup does not exist",
  podGroupIncomplete: "its PodGroup has too few Pods",
  other: "another obstacle",
} as const satisfies Record<SchedulingCause["cause"], string>;

/** The most obstacles that a headline names. */
const MAX_OBSTACLES = 2;

/** "Insufficient cpu on 12 of 14 nodes, untolerated taint on 2". */
export function schedulingText({ nodes, causes }: SchedulingDetails): string {
  const told = causes
    .slice(0, MAX_OBSTACLES)
    .map((cause, index) => obstacleText(cause, index === 0 ? nodes : undefined));
  const more = causes.length > told.length ? [`${causes.length - told.length} more`] : [];
  if (told.length === 0) return nodes === undefined ? "" : `${nodes} nodes`;
  return [...told, ...more].join(", ");
}

function obstacleText({ cause, resource, nodes }: SchedulingCause, total: number | undefined): string {
  const what = cause === "insufficient" && resource !== undefined ? `Insufficient ${resource}` : OBSTACLES[cause];
  if (nodes === undefined) return what;
  return total === undefined
    ? `${what} on ${nodes}`
    : `${what} on ${nodes} of ${total} ${total === 1 ? "node" : "nodes"}`;
}

export const IMAGE_PROBLEMS = {
  notFound: "not found",
  unauthorized: "access denied by the registry",
  unreachable: "registry unreachable",
  timeout: "timeout",
  rateLimited: "rate limit of the registry",
  invalidName: "invalid image name",
  noMatchingPlatform: "no image for the node's platform",
  notPresent: "not on the node, pull policy Never",
  diskFull: "disk full",
} as const satisfies Record<ImageProblem, string>;

const START_PROBLEMS = {
  programNotFound: "program not found",
  permissionDenied: "permission denied",
  wrongFormat: "program built for another platform",
  noCommand: "no command",
  runsAsRoot: "root user not allowed",
  mountFailed: "mount failed",
  timeout: "timeout",
  network: "network setup failed",
  workingDir: "working directory not usable",
  profileMissing: "security profile is missing",
  limitTooLow: "memory limit too low",
  variableMissing: "environment variable is missing",
  nameInUse: "container name still in use",
  diskFull: "disk full",
  device: "device not available",
  noRuntimeHandler: "runtime handler is missing",
  unsupported: "not supported by the runtime",
  userMissing: "user is missing in the image",
  sandboxImage: "sandbox image cannot be pulled",
  noAddress: "no IP address is free",
  runtimeUnavailable: "container runtime not reachable",
} as const satisfies Record<StartProblem, string>;

const VOLUME_PROBLEMS = {
  timeout: "timeout",
  inUse: "in use elsewhere",
  attachFailed: "attaching failed",
  mountFailed: "mounting failed",
  driverMissing: "driver is missing",
  pathMissing: "path is missing",
  accessDenied: "access denied",
  notRegistered: "the kubelet had not loaded it",
} as const satisfies Record<VolumeProblem, string>;

/** "ConfigMap is missing", or with its name: "ConfigMap settings is missing". */
function missingText({ object, name }: MissingObjectDetails): string {
  return `${object}${name === undefined ? "" : ` ${name}`} is missing`;
}

export function problemText(details: StartDetails | VolumeDetails | MissingObjectDetails | undefined): string {
  switch (details?.about) {
    case undefined:
      return "";
    case "missing":
      return missingText(details);
    case "start":
      return START_PROBLEMS[details.problem];
    case "volume":
      return VOLUME_PROBLEMS[details.problem];
  }
}

export const PROBES = {
  liveness: "liveness probe",
  startup: "startup probe",
  readiness: "readiness probe",
  postStart: "postStart hook",
  preStop: "preStop hook",
} as const satisfies Record<ProbeKind, string>;

const REFUSERS = {
  quota: "quota exceeded",
  limitRange: "LimitRange violated",
  podSecurity: "Pod Security violated",
  webhook: "admission webhook denied it",
  policy: "admission policy denied it",
  serviceAccount: "ServiceAccount is missing",
  priorityClass: "PriorityClass is missing",
  runtimeClass: "RuntimeClass is missing",
  namespaceTerminating: "namespace is being deleted",
  invalid: "Pod template is invalid",
  forbidden: "forbidden",
  unavailable: "API server or admission unavailable",
} as const satisfies Record<RefusalDetails["by"], string>;

/** "quota exceeded (limits.cpu: requested 2, used 1, limit 2)", "admission webhook policy.example.com denied it". */
export function refusalText({ by, name, resources = [], unreachable }: RefusalDetails): string {
  if (by === "webhook") {
    const result = unreachable === true ? "cannot be reached" : "denied it";
    return `admission webhook${name === undefined ? "" : ` ${name}`} ${result}`;
  }
  if (by === "policy") return `admission policy${name === undefined ? "" : ` ${name}`} denied it`;
  if (by === "podSecurity") return `Pod Security${name === undefined ? "" : ` level ${name}`} does not allow it`;
  const exceeded = resources.slice(0, MAX_OBSTACLES).map(({ resource, requested, used, limit }) => {
    const parts = [
      requested === undefined ? "" : `requested ${requested}`,
      used === undefined ? "" : `used ${used}`,
      limit === undefined ? "" : `limit ${limit}`,
    ].filter((part) => part !== "");
    return `${resource}: ${parts.join(", ")}`;
  });
  return exceeded.length === 0 ? REFUSERS[by] : `${REFUSERS[by]} (${list(exceeded)})`;
}
