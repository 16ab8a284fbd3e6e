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

/** Sums that grow. */
export type GrowingSums = Map<UsageClass, bigint>;

export function addToSums(sums: GrowingSums, of: UsageClass, amount: bigint): void {
  if (amount !== 0n) sums.set(of, (sums.get(of) ?? 0n) + amount);
}
