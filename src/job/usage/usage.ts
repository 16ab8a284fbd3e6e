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

/** The classes of sums. They divide the failed time by who is responsible: `failed` is that of the program only. */
export const SUM_CLASSES = [...USAGE_CLASSES, "failedByConfiguration", "failedByLimit"] as const;
export type SumClass = (typeof SUM_CLASSES)[number];

/** The sums by the classes of an answer. */
export function byUsageClass(sums: ClassSums): ReadonlyMap<UsageClass, bigint> {
  const merged = new Map<UsageClass, bigint>();
  for (const [of, amount] of sums) {
    const into = of === "failedByConfiguration" || of === "failedByLimit" ? "failed" : of;
    merged.set(into, (merged.get(into) ?? 0n) + amount);
  }
  return merged;
}

/** Sums by class. They are exact: milliseconds, or milliseconds times nano-units. */
export type ClassSums = ReadonlyMap<SumClass, bigint>;

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

/** What was reserved in each UTC hour. A Pod counts in the hour in which it was bound. */
export type HourlyUsage = ReadonlyMap<Instant, Usage>;

export type UsageByGroup = ReadonlyMap<string, HourlyUsage>;

/** The usage of a search without groups. */
export function ungrouped(found: UsageByGroup | undefined): HourlyUsage | undefined {
  if (found === undefined) return undefined;
  return found.get("") ?? NO_USAGE;
}

const NO_USAGE: HourlyUsage = new Map();

export function sumOfUsage(all: Iterable<Usage>): Usage {
  const sum = newUsage();
  for (const usage of all) addUsage(sum, usage);
  return sum;
}

/** Sums that grow. */
export type GrowingSums = Map<SumClass, bigint>;

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
    for (const [of, amount] of sums) addToResource(into, resource, { of, amount });
  }
}

/** An amount of one class. */
interface ClassAmount {
  readonly of: SumClass;
  readonly amount: bigint;
}

export function addToResource({ resources }: GrowingUsage, resource: string, { of, amount }: ClassAmount): void {
  const sums = resources.get(resource) ?? new Map<SumClass, bigint>();
  resources.set(resource, sums);
  addToSums(sums, of, amount);
}

export function addToSums(sums: GrowingSums, of: SumClass, amount: bigint): void {
  if (amount !== 0n) sums.set(of, (sums.get(of) ?? 0n) + amount);
}
