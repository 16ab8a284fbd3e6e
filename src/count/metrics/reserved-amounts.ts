import { isBytes } from "../../job/usage/resource-unit.ts";
import { byUsageClass, type HourlyUsage, sumOfUsage, type UsageClass } from "../../job/usage/usage.ts";

/** What a Job reserved of one resource in one class. */
interface ReservedAmount {
  /** `pods` for the time of the Pods themselves. */
  readonly resource: string;
  readonly of: UsageClass;
  readonly bound: "exact" | "at most";
  /** In units of {@link reservedUnit}: metrics are sums of integers. */
  readonly amount: number;
}

const PODS = "pods";
const MIB = 1_048_576;
/** Milliseconds times nano-units in a second times a unit. */
const SECOND = 1_000_000_000_000n;

/**
 * How much one stored unit is in the metric: bytes are stored in mebibyte seconds, everything else in thousandths of a
 * second. The sums of years then stay below 2^53, up to which integers are exact.
 */
export function reservedUnit(resource: string): number {
  return isBytes(resource) ? MIB : 0.001;
}

export function reservedAmounts(usage: HourlyUsage | undefined): readonly ReservedAmount[] {
  if (usage === undefined) return [];
  const { isAtMost, podTime, resources } = sumOfUsage(usage.values());
  const bound = isAtMost ? "at most" : "exact";
  const times = [...byUsageClass(podTime)].map(
    ([of, millis]) => ({ resource: PODS, of, bound, amount: Number(millis) }) as const,
  );
  const amounts = [...resources].flatMap(([resource, sums]) => {
    const unit = isBytes(resource) ? SECOND * BigInt(MIB) : SECOND / 1_000n;
    return [...byUsageClass(sums)].map(([of, sum]) => ({ resource, of, bound, amount: rounded(sum, unit) }) as const);
  });
  return [...times, ...amounts].filter(({ amount }) => amount !== 0);
}

function rounded(sum: bigint, unit: bigint): number {
  return Number((sum + unit / 2n) / unit);
}
