import { byUsageClass, type ClassSums, type SumClass, USAGE_CLASSES, type Usage } from "../../job/usage/usage.ts";
import type { UsageAnswer, UsageByClass } from "../answer-document.ts";

const MILLIS_PER_SECOND = 1_000n;
/** Milliseconds times nano-units in a second times a unit. */
const UNIT = MILLIS_PER_SECOND * 1_000_000_000n;

/** The only place where the exact sums become numbers of JSON. */
export function presentUsage({ pods, isAtMost, podTime, resources }: Usage): UsageAnswer {
  const failedBy = failedByResponsible(podTime);
  const byName = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pods,
    bound: isAtMost ? "at most" : "exact",
    podSeconds: presentSums(podTime, MILLIS_PER_SECOND),
    ...(failedBy && { failedBy }),
    resources: Object.fromEntries(byName.map(([resource, sums]) => [resource, presentSums(sums, UNIT)])),
  };
}

function failedByResponsible(podTime: ClassSums): UsageAnswer["failedBy"] {
  const seconds = (of: SumClass): number => divided(podTime.get(of) ?? 0n, MILLIS_PER_SECOND);
  const [program, configuration, limit] = [
    seconds("failed"),
    seconds("failedByConfiguration"),
    seconds("failedByLimit"),
  ];
  return program + configuration + limit === 0 ? undefined : { program, configuration, limit };
}

function presentSums(sums: ClassSums, unit: bigint): UsageByClass {
  const total = [...sums.values()].reduce((a, b) => a + b, 0n);
  const merged = byUsageClass(sums);
  const byClass = USAGE_CLASSES.map((of) => [of, divided(merged.get(of) ?? 0n, unit)] as const);
  return { total: divided(total, unit), ...(Object.fromEntries(byClass) as Omit<UsageByClass, "total">) };
}

function divided(amount: bigint, unit: bigint): number {
  return Number(amount / unit) + Number(amount % unit) / Number(unit);
}
