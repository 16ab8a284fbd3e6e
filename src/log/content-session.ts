import { createHash } from "node:crypto";
import { canonical } from "../job/model/canonical.ts";
import type { Fact } from "../job/model/fact.ts";
import { ARRIVAL_SESSION } from "../segment/segment-key.ts";

/**
 * A session named after its facts: the same facts always get the same name, and different facts get different names.
 * `onArrival`: the segments are sealed as their facts arrived (see `isSealedOnArrival`).
 */
export function contentSession(facts: readonly Fact[], { onArrival = false } = {}): string {
  const name = createHash("sha256").update(canonical(facts)).digest("hex").slice(0, 16);
  return onArrival ? ARRIVAL_SESSION + name.slice(1) : name;
}
