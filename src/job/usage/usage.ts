import type { Instant } from "../model/instant.ts";

/** What became of the time that Pods reserved, in the order of an answer. */
export const USAGE_CLASSES = [
  "startUp",
  "idle",
  "active",
  "kept",
  "duplicate",
  "failed",
  "interrupted",
  "cancelled",
  "unknown",
] as const;
export type UsageClass = (typeof USAGE_CLASSES)[number];

/** Sums by class. They are exact: milliseconds, or milliseconds times nano-units. */
export type ClassSums = ReadonlyMap<UsageClass, bigint>;

/** What the Pods of a Job reserved. */
export interface Usage {
  /** Those that were bound to a node. */
  readonly pods: number;
  /** Some of them were released at an unknown time before. */
  readonly isAtMost: boolean;
  /** Milliseconds. */
  readonly podTime: ClassSums;
  /** Milliseconds times nano-units, by resource. */
  readonly resources: ReadonlyMap<string, ClassSums>;
}

/** What was reserved by the UTC hour in which it was. A Pod counts in the hour in which it was bound. */
export type HourlyUsage = ReadonlyMap<Instant, Usage>;

export type UsageByGroup = ReadonlyMap<string, HourlyUsage>;

/** What was reserved in all hours of some Jobs or groups. */
export function totalUsage(all: Iterable<HourlyUsage>): Usage {
  const total = newUsage();
  for (const hours of all) for (const usage of hours.values()) addUsage(total, usage);
  return total;
}

/** Sums that grow. */
export type GrowingSums = Map<UsageClass, bigint>;

export interface GrowingUsage extends Usage {
  pods: number;
  isAtMost: boolean;
  readonly podTime: GrowingSums;
  readonly resources: Map<string, GrowingSums>;
}

export function newUsage(): GrowingUsage {
  return { pods: 0, isAtMost: false, podTime: new Map(), resources: new Map() };
}

export function addUsage(into: GrowingUsage, { pods, isAtMost, podTime, resources }: Usage): void {
  into.pods += pods;
  into.isAtMost ||= isAtMost;
  for (const [of, amount] of podTime) addToSums(into.podTime, of, amount);
  for (const [resource, sums] of resources) {
    const known = into.resources.get(resource) ?? new Map<UsageClass, bigint>();
    into.resources.set(resource, known);
    for (const [of, amount] of sums) addToSums(known, of, amount);
  }
}

export function addToSums(sums: GrowingSums, of: UsageClass, amount: bigint): void {
  if (amount !== 0n) sums.set(of, (sums.get(of) ?? 0n) + amount);
}
