import type { ExceededResource, MessageDetails, PolicyDetails, SchedulingCause } from "../job/model/message-details.ts";
import { type Check, type FieldChecks, isNumber, isRecord, isText, list, object, oneOf, optional } from "./check.ts";

type About = MessageDetails["about"];
type DetailsOf<A extends About> = Extract<MessageDetails, { readonly about: A }>;

/** Whether `value` is a message as data (MessageDetails), with all its fields and no others. */
export function isMessageDetails(value: unknown): value is MessageDetails {
  return isRecord(value) && isAbout(value["about"]) && DETAILS[value["about"]](value);
}

function isAbout(value: unknown): value is About {
  return typeof value === "string" && Object.hasOwn(DETAILS, value);
}

function details<A extends About>(about: A, fields: FieldChecks<Omit<DetailsOf<A>, "about">>): Check<DetailsOf<A>> {
  return object<DetailsOf<A>>({ about: oneOf<string>(about), ...fields } as unknown as FieldChecks<DetailsOf<A>>);
}

export const isPolicyDetails: Check<PolicyDetails> = details("policyRule", {
  action: oneOf("FailJob", "FailIndex"),
  rule: isNumber,
  pod: isText,
  container: optional(isText),
  exitCode: optional(isNumber),
  condition: optional(isText),
});

const isCause = object<SchedulingCause>({
  cause: oneOf(
    "insufficient",
    "nodeSelector",
    "taint",
    "cordoned",
    "podAffinity",
    "topologySpread",
    "hostPort",
    "volume",
    "volumeUnbound",
    "volumeMissing",
    "resourceClaim",
    "gated",
    "podGroupMissing",
    "podGroupIncomplete",
    "other",
  ),
  nodes: optional(isNumber),
  resource: optional(isText),
});

const isExceeded = object<ExceededResource>({
  resource: isText,
  requested: optional(isText),
  used: optional(isText),
  limit: optional(isText),
});

const DETAILS: { readonly [A in About]: Check<DetailsOf<A>> } = {
  scheduling: details("scheduling", { nodes: optional(isNumber), causes: list(isCause) }),
  refusal: details("refusal", {
    by: oneOf(
      "quota",
      "limitRange",
      "podSecurity",
      "webhook",
      "policy",
      "serviceAccount",
      "priorityClass",
      "runtimeClass",
      "namespaceTerminating",
      "invalid",
      "forbidden",
      "unavailable",
    ),
    name: optional(isText),
    resources: optional(list(isExceeded)),
    unreachable: optional(oneOf(true)),
  }),
  missing: details("missing", {
    object: oneOf("ConfigMap", "ConfigMap key", "Secret", "Secret key", "ServiceAccount", "PersistentVolumeClaim"),
    name: optional(isText),
  }),
  image: details("image", {
    problem: oneOf(
      "notFound",
      "unauthorized",
      "unreachable",
      "timeout",
      "rateLimited",
      "invalidName",
      "noMatchingPlatform",
      "notPresent",
      "diskFull",
    ),
  }),
  start: details("start", {
    problem: oneOf(
      "programNotFound",
      "permissionDenied",
      "wrongFormat",
      "noCommand",
      "runsAsRoot",
      "mountFailed",
      "timeout",
      "network",
      "workingDir",
      "profileMissing",
      "limitTooLow",
      "variableMissing",
      "nameInUse",
      "diskFull",
      "device",
      "noRuntimeHandler",
      "unsupported",
      "userMissing",
      "sandboxImage",
      "noAddress",
      "runtimeUnavailable",
    ),
  }),
  probe: details("probe", {
    probe: oneOf("liveness", "startup", "readiness", "postStart", "preStop"),
    container: optional(isText),
  }),
  eviction: details("eviction", { resource: isText, ownLimit: optional(oneOf(true)) }),
  volume: details("volume", {
    problem: oneOf(
      "timeout",
      "inUse",
      "attachFailed",
      "mountFailed",
      "driverMissing",
      "pathMissing",
      "accessDenied",
      "notRegistered",
    ),
  }),
  policyRule: isPolicyDetails,
  pod: details("pod", { name: isText }),
  preemptor: details("preemptor", { kind: oneOf("PodGroup", "CompositePodGroup"), uid: optional(isText) }),
  queue: details("queue", { queue: isText }),
};
