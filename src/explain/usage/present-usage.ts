import { byUsageClass, type ClassSums, type SumClass, USAGE_CLASSES, type Usage } from "../../job/usage/usage.ts";
import type { UsageAnswer, UsageByClass } from "./usage-schema.ts";

/** Decimal places of milliseconds in seconds. */
const MILLIS = 3;
/** Those of milliseconds times nano-units in seconds times units. */
const NANO_MILLIS = 12;

/** The only place where the exact sums become numbers of JSON. */
export function presentUsage({ pods, isAtMost, podTime, resources }: Usage): UsageAnswer {
  const failedBy = failedByResponsible(podTime);
  const byName = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pods,
    bound: isAtMost ? "at most" : "exact",
    podSeconds: presentSums(podTime, MILLIS),
    ...(failedBy && { failedBy }),
    resources: Object.fromEntries(byName.map(([resource, sums]) => [resource, presentSums(sums, NANO_MILLIS)])),
  };
}

function failedByResponsible(podTime: ClassSums): UsageAnswer["failedBy"] {
  const seconds = (of: SumClass): number => divided(podTime.get(of) ?? 0n, MILLIS);
  const [program, configuration, limit] = [
    seconds("failed"),
    seconds("failedByConfiguration"),
    seconds("failedByLimit"),
  ];
  return program + configuration + limit === 0 ? undefined : { program, configuration, limit };
}

function presentSums(sums: ClassSums, places: number): UsageByClass {
  const total = [...sums.values()].reduce((a, b) => a + b, 0n);
  const merged = byUsageClass(sums);
  const byClass = USAGE_CLASSES.map((of) => [of, divided(merged.get(of) ?? 0n, places)] as const);
  return { total: divided(total, places), ...(Object.fromEntries(byClass) as Omit<UsageByClass, "total">) };
}

/** The nearest number: a sum of a whole number and a fraction would be rounded twice. */
function divided(amount: bigint, places: number): number {
  const digits = String(amount < 0n ? -amount : amount).padStart(places + 1, "0");
  return Number(`${amount < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`);
}
