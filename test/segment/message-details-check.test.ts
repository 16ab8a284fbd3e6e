import { describe, expect, it } from "vitest";
import { isMessageDetails } from "../../src/segment/message-details-check.ts";

type StoredValues = readonly [about: string, field: string, values: readonly unknown[], others: object];

/** Every value that stored facts may have. If one were removed, segments of earlier releases could not be read. */
const STORED: readonly StoredValues[] = [
  [
    "refusal",
    "by",
    [
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
    ],
    {},
  ],
  ["refusal", "unreachable", [true], { by: "webhook" }],
  [
    "missing",
    "object",
    ["ConfigMap", "ConfigMap key", "Secret", "Secret key", "ServiceAccount", "PersistentVolumeClaim"],
    {},
  ],
  [
    "image",
    "problem",
    [
      "notFound",
      "unauthorized",
      "unreachable",
      "timeout",
      "rateLimited",
      "invalidName",
      "noMatchingPlatform",
      "notPresent",
      "diskFull",
    ],
    {},
  ],
  [
    "start",
    "problem",
    [
      "programNotFound",
      "permissionDenied",
      "wrongFormat",
      "noCommand",
      "runsAsRoot",
      "mountFailed",
      "timeout",
      "network",
    ],
    {},
  ],
  ["probe", "probe", ["liveness", "startup", "readiness", "postStart", "preStop"], {}],
  ["eviction", "ownLimit", [true], { resource: "memory" }],
  ["volume", "problem", ["timeout", "inUse", "attachFailed", "mountFailed"], {}],
  ["policyRule", "action", ["FailJob", "FailIndex"], { rule: 0, pod: "a" }],
];

const CAUSES = [
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
  "other",
];

describe("the details of a message", () => {
  it.each(STORED)("about a %s have one of these values in %s: %j", (about, field, values, others) => {
    for (const value of values) expect(isMessageDetails({ about, ...others, [field]: value })).toBe(true);
    for (const value of ["", "other text", 1, false, null]) {
      expect(isMessageDetails({ about, ...others, [field]: value })).toBe(false);
    }
  });

  it.each(CAUSES)("name the cause %s of a Pod without a Node", (cause) => {
    expect(isMessageDetails({ about: "scheduling", nodes: 3, causes: [{ cause, nodes: 3 }] })).toBe(true);
  });

  it.each([
    { about: "scheduling", causes: [] },
    { about: "scheduling", causes: [{ cause: "insufficient", resource: "cpu" }] },
    {
      about: "refusal",
      by: "quota",
      name: "q",
      resources: [{ resource: "pods", requested: "1", used: "9", limit: "9" }],
    },
    { about: "missing", object: "Secret", name: "s" },
    { about: "probe", probe: "liveness", container: "main" },
    { about: "eviction", resource: "memory" },
    { about: "policyRule", action: "FailJob", rule: 0, pod: "a", container: "c", exitCode: 7, condition: "x" },
    { about: "pod", name: "a" },
    { about: "queue", queue: "gpu" },
  ])("are valid as %j", (details) => {
    expect(isMessageDetails(details)).toBe(true);
    expect(isMessageDetails({ ...details, unknown: "x" })).toBe(false);
  });

  it.each([
    null,
    "pod",
    {},
    { about: "constructor" },
    { about: "pod" },
    { about: "scheduling", causes: [{ cause: "" }] },
    { about: "scheduling", causes: "gated" },
    { about: "scheduling", nodes: "3", causes: [] },
    { about: "refusal", by: "quota", resources: [{}] },
  ])("are invalid as %j", (details) => {
    expect(isMessageDetails(details)).toBe(false);
  });
});
