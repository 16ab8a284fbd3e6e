declare const brand: unique symbol;

/** `metadata.resourceVersion` as a number. Only {@link decodeResourceVersion} creates it. */
export type ResourceVersion = number & { readonly [brand]: "ResourceVersion" };

/**
 * The position of a fact among the facts of one resource type of one cluster. Within an epoch, resourceVersions only
 * grow; a new epoch begins when the resourceVersion of a list is lower than before (etcd was restored).
 */
export interface Order {
  readonly epoch: number;
  readonly resourceVersion: ResourceVersion;
}

/** A positive decimal integer that a double represents exactly; `undefined` for any other text, which has no order. */
export function decodeResourceVersion(text: unknown): ResourceVersion | undefined {
  if (typeof text !== "string" || !/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= Number.MAX_SAFE_INTEGER ? (number as ResourceVersion) : undefined;
}

/** The order of a fact, without its other fields. */
export function orderOf({ epoch, resourceVersion }: Order): Order {
  return { epoch, resourceVersion };
}

/** Negative if `a` precedes `b`, positive if it follows `b`, 0 if they are equal. */
export function compareOrder(a: Order, b: Order): number {
  return a.epoch - b.epoch || a.resourceVersion - b.resourceVersion;
}
