import type { Fact } from "../job/model/fact.ts";
import { decodeSegment } from "./decode-segment.ts";
import type { Rejected } from "./rejected.ts";
import { sealSegment } from "./seal-segment.ts";
import type { SealedSegment, Segment } from "./segment.ts";

/** The id of the erasure that removes a fact; `undefined` if the fact stays. */
export type ErasureOfFact = (fact: Fact) => string | undefined;

/** A segment after some of its facts were erased. Its key and `sha256` are those of the original. */
export interface ErasedSegment {
  readonly outcome: "erased";
  readonly sealed: SealedSegment;
  readonly segment: Segment;
  /** The facts that were removed now. */
  readonly gone: readonly Fact[];
}

export type EraseOutcome = ErasedSegment | { readonly outcome: "unchanged" } | Rejected;

/**
 * Erases facts from a sealed segment. It keeps its key and the SHA-256 of the original, so that a redelivery of the
 * original is a duplicate, and also stores the SHA-256 of the remaining facts. The result is a function of the segment
 * and its erased facts: a repetition gives the same bytes.
 */
export function eraseFacts(bytes: Uint8Array, choose: (segment: Segment) => ErasureOfFact): EraseOutcome {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return decoded;
  return remainsOf(decoded, choose(decoded.segment)) ?? { outcome: "unchanged" };
}

/** The same for a segment that is decoded already; `undefined` if no fact of it is erased. */
export function remainsOf(
  { segment, sha256 }: { readonly segment: Segment; readonly sha256: string },
  erasureOf: ErasureOfFact,
): ErasedSegment | undefined {
  const [gone, facts, ids]: [Fact[], Fact[], Set<string>] = [[], [], new Set(segment.erased?.by)];
  for (const fact of segment.facts) {
    const id = erasureOf(fact);
    if (id === undefined) facts.push(fact);
    else {
      gone.push(fact);
      ids.add(id);
    }
  }
  if (gone.length === 0) return undefined;
  const erased = { sha256, facts: (segment.erased?.facts ?? 0) + gone.length, by: [...ids].sort() };
  const remains = { ...segment, facts, erased };
  return { outcome: "erased", sealed: sealSegment(remains), segment: remains, gone };
}
