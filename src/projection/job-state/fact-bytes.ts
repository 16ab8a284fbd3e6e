import type { Fact } from "../../job/model/fact.ts";
import { decodeFacts, encodeFacts } from "../../segment/fact-list.ts";
import { PageUnreadableError } from "../pages/page-ref.ts";

/** Facts as a projection keeps them. */
export function bytesOfFacts(facts: Iterable<Fact>): Uint8Array {
  return encodeFacts(facts);
}

/** What {@link bytesOfFacts} wrote. Throws {@link PageUnreadableError} where the bytes are not that. */
export function factsOfBytes(bytes: Uint8Array): readonly Fact[] {
  const decoded = decodeFacts(bytes);
  if (decoded.outcome === "decoded") return decoded.facts;
  throw new PageUnreadableError(decoded.reason);
}
