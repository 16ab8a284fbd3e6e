import { createHash } from "node:crypto";
import { canonical } from "../job/model/canonical.ts";
import type { Fact } from "../job/model/fact.ts";

/** A session named by what it says: the same facts have the same name, whoever seals them, and no others have it. */
export function contentSession(facts: readonly Fact[]): string {
  return createHash("sha256").update(canonical(facts)).digest("hex").slice(0, 16);
}
