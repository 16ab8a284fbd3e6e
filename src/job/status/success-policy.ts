import { countIndexes, type IndexSet, cutIndexes, intersectIndexes, parseIndexSet } from "../accounting/index-set.ts";
import type { SuccessPolicy } from "../model/job-spec.ts";

export interface SuccessPolicyMatch {
  /** The rule that is met. */
  readonly rule: number;
  /** The message of the Job's condition. */
  readonly message: string;
}

/** The first rule of the success policy that `completed` meets (job-semantics 9). An empty set meets no rule. */
export function matchSuccessPolicy(
  policy: SuccessPolicy | undefined,
  completed: IndexSet,
  completions: number,
): SuccessPolicyMatch | undefined {
  const succeeded = cutIndexes(completed, completions);
  if (policy === undefined || succeeded.length === 0) return undefined;
  const rule = policy.rules.findIndex((rule) => isMet(rule, succeeded, completions));
  return rule < 0 ? undefined : { rule, message: `Matched rules at index ${rule}` };
}

function isMet(
  { succeededIndexes, succeededCount }: SuccessPolicy["rules"][number],
  succeeded: IndexSet,
  completions: number,
): boolean {
  if (succeededIndexes === undefined) {
    return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
  }
  const wanted = parseIndexSet(succeededIndexes, completions);
  if (wanted.length === 0) return false;
  return countIndexes(intersectIndexes(wanted, succeeded)) >= (succeededCount ?? countIndexes(wanted));
}
