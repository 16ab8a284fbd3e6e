import type { Fact } from "../../job/model/fact.ts";
import { decodeFacts, encodeFacts } from "../../segment/fact-list.ts";
import { PageUnreadableError } from "../pages/page-ref.ts";

/** Encodes the facts of a state. */
export function bytesOfFacts(facts: Iterable<Fact>): Uint8Array {
  return encodeFacts(facts, 3);
}

/** Encodes the facts of a page. Its bytes name it, so their codec never changes: equal Pods have equal pages. */
export function pageOfFacts(facts: Iterable<Fact>): Uint8Array {
  return encodeFacts(facts, 2);
}

/** The inverse of both. Throws {@link PageUnreadableError} for other bytes. */
export function factsOfBytes(bytes: Uint8Array): readonly Fact[] {
  const decoded = decodeFacts(bytes);
  if (decoded.outcome === "decoded") return decoded.facts;
  throw new PageUnreadableError(decoded.reason);
}
