import type { JobSpec, PodFailurePolicy, PodFailurePolicyRule, SuccessPolicy } from "../../job/model/job-spec.ts";
import {
  cutText,
  MAX_EXIT_CODES,
  MAX_INDEX_SET_BYTES,
  MAX_INT32,
  MAX_POLICY_CONDITIONS,
  MAX_POLICY_RULES,
} from "./bounds.ts";
import { countOf, fieldsOf, isObject, itemsOf, type JsonObject, textOf, wholeOf } from "../json/json-field.ts";
import { hashOfResources } from "../request/template-resources.ts";
import type { Problem } from "./translated.ts";

const DEFAULT_BACKOFF_LIMIT = 6;

export type JobSpecRead =
  | { readonly outcome: "read"; readonly spec: JobSpec }
  | { readonly outcome: "rejected"; readonly problems: readonly Problem[] };

type Counts = { readonly [Field in (typeof COUNTS)[number]]?: number };
const COUNTS = [
  "parallelism",
  "completions",
  "backoffLimit",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
  "activeDeadlineSeconds",
  "ttlSecondsAfterFinished",
] as const;

/**
 * Reads the relevant part of a Job's spec, with the defaults of the API server (`pkg/apis/batch/v1/defaults.go`). An
 * invalid number is rejected, because a default in its place would change the meaning of the Job.
 */
export function readJobSpec(fields: JsonObject): JobSpecRead {
  const problems: Problem[] = [];
  const counts = readCounts(fields, problems);
  if (problems.length > 0) return { outcome: "rejected", problems };
  const { parallelism, completions, backoffLimit, backoffLimitPerIndex, ...others } = counts;
  const isSingle = parallelism === undefined && completions === undefined;
  const wanted = isSingle ? 1 : completions;
  return {
    outcome: "read",
    spec: {
      parallelism: parallelism ?? 1,
      ...(wanted !== undefined && { completions: wanted }),
      completionMode: cutText(textOf(fields["completionMode"]) ?? "NonIndexed"),
      backoffLimit: backoffLimit ?? (backoffLimitPerIndex === undefined ? DEFAULT_BACKOFF_LIMIT : MAX_INT32),
      ...(backoffLimitPerIndex !== undefined && { backoffLimitPerIndex }),
      ...others,
      suspend: fields["suspend"] === true,
      ...readPolicies(fields),
      ...readTemplate(fields),
    },
  };
}

function readCounts(fields: JsonObject, problems: Problem[]): Counts {
  const counts: { -readonly [Field in keyof Counts]: Counts[Field] } = {};
  for (const field of COUNTS) {
    const value = fields[field] ?? undefined;
    if (value === undefined) continue;
    const count = countOf(value);
    if (count !== undefined) counts[field] = count;
    else problems.push({ path: `object.spec.${field}`, message: "Must be a whole number of at least 0." });
  }
  return counts;
}

function readPolicies(
  fields: JsonObject,
): Pick<JobSpec, "podReplacementPolicy" | "podFailurePolicy" | "successPolicy" | "managedBy"> {
  const podReplacementPolicy = textOf(fields["podReplacementPolicy"]);
  const managedBy = textOf(fields["managedBy"]);
  const { podFailurePolicy, successPolicy } = fields;
  return {
    ...(podReplacementPolicy !== undefined && { podReplacementPolicy: cutText(podReplacementPolicy) }),
    ...(isObject(podFailurePolicy) && { podFailurePolicy: readPodFailurePolicy(podFailurePolicy) }),
    ...(isObject(successPolicy) && { successPolicy: readSuccessPolicy(successPolicy) }),
    ...(managedBy !== undefined && { managedBy: cutText(managedBy) }),
  };
}

/** A slim Job may have no template. With the default `Never`, restarts have no effect. */
function readTemplate(fields: JsonObject): Pick<JobSpec, "restartPolicy" | "podActiveDeadlineSeconds" | "resources"> {
  const podSpec = fieldsOf(fieldsOf(fields["template"])["spec"]);
  const podActiveDeadlineSeconds = countOf(podSpec["activeDeadlineSeconds"]);
  const resources = hashOfResources(podSpec);
  return {
    restartPolicy: cutText(textOf(podSpec["restartPolicy"]) ?? "Never"),
    ...(podActiveDeadlineSeconds !== undefined && { podActiveDeadlineSeconds }),
    ...(resources !== undefined && { resources }),
  };
}

function readPodFailurePolicy(policy: JsonObject): PodFailurePolicy {
  return { rules: itemsOf(policy["rules"]).slice(0, MAX_POLICY_RULES).map(fieldsOf).map(readFailureRule) };
}

function readFailureRule(rule: JsonObject): PodFailurePolicyRule {
  const { onExitCodes, onPodConditions } = rule;
  return {
    action: cutText(textOf(rule["action"]) ?? ""),
    ...(isObject(onExitCodes) && { onExitCodes: readExitCodes(onExitCodes) }),
    ...(Array.isArray(onPodConditions) && { onPodConditions: readPatterns(onPodConditions) }),
  };
}

function readExitCodes(requirement: JsonObject): NonNullable<PodFailurePolicyRule["onExitCodes"]> {
  const containerName = textOf(requirement["containerName"]);
  const values = itemsOf(requirement["values"]).flatMap((value) => wholeOf(value) ?? []);
  return {
    ...(containerName !== undefined && { containerName: cutText(containerName) }),
    operator: cutText(textOf(requirement["operator"]) ?? ""),
    values: values.slice(0, MAX_EXIT_CODES),
  };
}

function readPatterns(patterns: readonly unknown[]): NonNullable<PodFailurePolicyRule["onPodConditions"]> {
  return patterns.slice(0, MAX_POLICY_CONDITIONS).map((pattern) => {
    const { type, status } = fieldsOf(pattern);
    return { type: cutText(textOf(type) ?? ""), status: cutText(textOf(status) ?? "True") };
  });
}

function readSuccessPolicy(policy: JsonObject): SuccessPolicy {
  return { rules: itemsOf(policy["rules"]).slice(0, MAX_POLICY_RULES).map(fieldsOf).map(readSuccessRule) };
}

/**
 * An index set that is too long becomes `""`, which matches no index. Without it, the rule would match all indexes.
 */
function readSuccessRule(rule: JsonObject): SuccessPolicy["rules"][number] {
  const { succeededIndexes } = rule;
  const succeededCount = countOf(rule["succeededCount"]);
  return {
    ...(typeof succeededIndexes === "string" && {
      succeededIndexes: succeededIndexes.length <= MAX_INDEX_SET_BYTES ? succeededIndexes.toWellFormed() : "",
    }),
    ...(succeededCount !== undefined && { succeededCount }),
  };
}
