declare const brand: unique symbol;

/** `metadata.resourceVersion` as a number. Made only by {@link decodeResourceVersion}. */
export type ResourceVersion = number & { readonly [brand]: "ResourceVersion" };

/**
 * Where a fact stands among the facts of one resource type of one cluster.
 * `epoch` rises when a list's resourceVersion went back (etcd was restored): within an epoch resourceVersions only grow.
 */
export interface Order {
  readonly epoch: number;
  readonly resourceVersion: ResourceVersion;
}

/** A resourceVersion is a positive decimal integer that a double holds exactly; anything else cannot be ordered and is `undefined`. */
export function decodeResourceVersion(text: unknown): ResourceVersion | undefined {
  if (typeof text !== "string" || !/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= Number.MAX_SAFE_INTEGER ? (number as ResourceVersion) : undefined;
}

/** Where a fact stands, without the rest of it. */
export function orderOf({ epoch, resourceVersion }: Order): Order {
  return { epoch, resourceVersion };
}

/** Negative when `a` stands before `b`, positive when after, 0 when at the same place. */
export function compareOrder(a: Order, b: Order): number {
  return a.epoch - b.epoch || a.resourceVersion - b.resourceVersion;
}
