import * as fc from "fast-check";
import type { MessageDetails, PolicyDetails, SchedulingCause } from "../../../src/job/model/message-details.ts";
import { count, flag, name, object, text } from "./arbitrary-values.ts";

const cause = object<SchedulingCause>(
  { cause: fc.constantFrom("insufficient", "taint", "nodeSelector", "other"), nodes: count, resource: text },
  "nodes",
  "resource",
);

export const arbitraryPolicyDetails = object<PolicyDetails>(
  {
    about: fc.constant("policyRule"),
    action: fc.constantFrom("FailJob", "FailIndex"),
    rule: count,
    pod: name,
    container: text,
    exitCode: count,
    condition: text,
  },
  "container",
  "exitCode",
  "condition",
);

export const arbitraryMessageDetails: fc.Arbitrary<MessageDetails> = fc.oneof(
  arbitraryPolicyDetails,
  object<Extract<MessageDetails, { about: "scheduling" }>>(
    { about: fc.constant("scheduling"), nodes: count, causes: fc.array(cause, { maxLength: 3 }) },
    "nodes",
  ),
  object<Extract<MessageDetails, { about: "refusal" }>>(
    {
      about: fc.constant("refusal"),
      by: fc.constantFrom("quota", "webhook", "podSecurity"),
      name,
      resources: fc.array(
        object({ resource: text, requested: text, used: text, limit: text }, "requested", "used", "limit"),
        { maxLength: 2 },
      ),
      unreachable: flag,
    },
    "name",
    "resources",
    "unreachable",
  ),
  object<Extract<MessageDetails, { about: "missing" }>>(
    { about: fc.constant("missing"), object: fc.constantFrom("ConfigMap", "Secret key"), name },
    "name",
  ),
  fc.constantFrom<MessageDetails>(
    { about: "image", problem: "unauthorized" },
    { about: "start", problem: "programNotFound" },
    { about: "probe", probe: "liveness", container: "work" },
    { about: "eviction", resource: "memory", ownLimit: true },
    { about: "volume", problem: "inUse" },
    { about: "pod", name: "report-x7k2p" },
    { about: "queue", queue: "gold" },
    { about: "preemptor", kind: "PodGroup", uid: "0b6f3c1e-9d52-4a55-8a0e-3f1f6f3c2f11" },
    { about: "scheduling", causes: [{ cause: "podGroupMissing" }] },
  ),
);
