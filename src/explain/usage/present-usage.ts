import { type ClassSums, USAGE_CLASSES, type Usage } from "../../job/usage/usage.ts";
import type { UsageAnswer, UsageByClass } from "../answer-document.ts";

const MILLIS_PER_SECOND = 1_000n;
/** Milliseconds times nano-units in a second times a unit. */
const UNIT = MILLIS_PER_SECOND * 1_000_000_000n;

/** The only place where the exact sums become numbers of JSON. */
export function presentUsage({ pods, isAtMost, podTime, resources }: Usage): UsageAnswer {
  const byName = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pods,
    bound: isAtMost ? "at most" : "exact",
    podSeconds: presentSums(podTime, MILLIS_PER_SECOND),
    resources: Object.fromEntries(byName.map(([resource, sums]) => [resource, presentSums(sums, UNIT)])),
  };
}

function presentSums(sums: ClassSums, unit: bigint): UsageByClass {
  const total = [...sums.values()].reduce((a, b) => a + b, 0n);
  const byClass = USAGE_CLASSES.map((of) => [of, divided(sums.get(of) ?? 0n, unit)] as const);
  return { total: divided(total, unit), ...(Object.fromEntries(byClass) as Omit<UsageByClass, "total">) };
}

function divided(amount: bigint, unit: bigint): number {
  return Number(amount / unit) + Number(amount % unit) / Number(unit);
}
