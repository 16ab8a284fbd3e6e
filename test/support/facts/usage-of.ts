import type { HourlyUsage, Usage, SumClass } from "../../../src/job/usage/usage.ts";

const MILLIS = 1_000n;
const CORE = 1_000_000_000n;

/** Pods of one core that reserved so many seconds of each class. */
export function usageOf(pods: number, seconds: Partial<Record<SumClass, number>>): Usage {
  const podTime = new Map(
    Object.entries(seconds).map(([of, each]) => [of as SumClass, BigInt(each) * MILLIS] as const),
  );
  const cpu = new Map([...podTime].map(([of, millis]) => [of, millis * CORE] as const));
  return { pods, isAtMost: false, podTime, resources: new Map([["cpu", cpu]]) };
}

/** The same in one hour. */
export function usageAt(hour: number, pods: number, seconds: Partial<Record<SumClass, number>>): HourlyUsage {
  return new Map([[hour, usageOf(pods, seconds)]]);
}
