import type { PodCondition } from "../model/fact.ts";
import type { PodFailurePolicy, PodFailurePolicyRule } from "../model/job-spec.ts";

/** The part of a failed Pod that a pod failure policy can match. */
export interface FailedPod {
  readonly namespace: string;
  readonly name: string;
  /** Containers that have ended: app containers in the order of the status, then init containers. */
  readonly ends: readonly { readonly container: string; readonly exitCode: number }[];
  readonly conditions: readonly Pick<PodCondition, "type" | "status">[];
}

export type FailureAction = "FailJob" | "FailIndex" | "Ignore" | "Count";

export interface PolicyMatch {
  /** The action of the first rule that matches. Absent if no rule matches: then the failure counts. */
  readonly action?: FailureAction;
  /** Whether the failure counts in `failed` and towards limits. */
  readonly counted: boolean;
  /** The rule that decided. */
  readonly rule?: number;
  /** The message of the Job's condition, for `FailJob`. */
  readonly message?: string;
}

const UNDECIDED: PolicyMatch = { counted: true };

/**
 * Matches a failed Pod with the rules, in order (job-semantics 8). Rules with an unknown action are skipped, and so are
 * `FailIndex` rules unless failures are limited per index (`perIndex`).
 */
export function matchPodFailurePolicy(
  policy: PodFailurePolicy | undefined,
  pod: FailedPod,
  perIndex: boolean,
): PolicyMatch {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const { action } = rule;
    if (!isFailureAction(action) || (action === "FailIndex" && !perIndex)) continue;
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const message = action === "FailJob" ? { message: `${cause} matching FailJob rule at index ${index}` } : {};
    return { action, counted: action !== "Ignore", rule: index, ...message };
  }
  return UNDECIDED;
}

function isFailureAction(action: string): action is FailureAction {
  return action === "FailJob" || action === "FailIndex" || action === "Ignore" || action === "Count";
}

/** Why the rule matches, as upstream words it; `undefined` if it does not. A rule has exit codes or conditions. */
function causeOf(rule: PodFailurePolicyRule, pod: FailedPod): string | undefined {
  if (rule.onExitCodes !== undefined) {
    const end = matchExitCodes(rule.onExitCodes, pod);
    return (
      end && `Container ${end.container} for pod ${pod.namespace}/${pod.name} failed with exit code ${end.exitCode}`
    );
  }
  const condition = pod.conditions.find(({ type, status }) =>
    rule.onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition && `Pod ${pod.namespace}/${pod.name} has condition ${condition.type}`;
}

function matchExitCodes(
  { containerName, operator, values }: NonNullable<PodFailurePolicyRule["onExitCodes"]>,
  { ends }: FailedPod,
): FailedPod["ends"][number] | undefined {
  return ends.find(({ container, exitCode }) => {
    if (exitCode === 0 || (containerName !== undefined && containerName !== container)) return false;
    if (operator === "In") return values.includes(exitCode);
    return operator === "NotIn" && !values.includes(exitCode);
  });
}
