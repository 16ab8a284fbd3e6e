import type { Fact } from "../../job/model/fact.ts";
import { decodeFacts, encodeFacts } from "../../segment/fact-list.ts";
import { PageUnreadableError } from "../pages/page-ref.ts";

/** Encodes facts for a projection. */
export function bytesOfFacts(facts: Iterable<Fact>): Uint8Array {
  return encodeFacts(facts);
}

/** The inverse of {@link bytesOfFacts}. Throws {@link PageUnreadableError} for other bytes. */
export function factsOfBytes(bytes: Uint8Array): readonly Fact[] {
  const decoded = decodeFacts(bytes);
  if (decoded.outcome === "decoded") return decoded.facts;
  throw new PageUnreadableError(decoded.reason);
}
