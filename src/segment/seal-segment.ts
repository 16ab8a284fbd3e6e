import { type Codec, wrap } from "./envelope.ts";
import { schemaOf } from "./fact-list.ts";
import { writeFactList } from "./fact-list-v1.ts";
import type { SealedSegment, Segment } from "./segment.ts";
import { isSealedAt, isSequence, isSession, segmentKey } from "./segment-key.ts";

/**
 * Seals facts into the bytes that travel and are kept. Key and canonical text are functions of what is sealed alone (docs/architecture.md,
 * invariant 2): the same facts in any order, and any of them twice, give the same.
 * Throws {@link SegmentNameError} where the name could not be read back.
 */
export function sealSegment(segment: Omit<Segment, "schemaVersion">, codec: Codec = "deflate"): SealedSegment {
  const { cluster, sealedAt, session, sequence, kubeSystemUid = "" } = segment;
  if (!isSealedAt(sealedAt)) {
    throw new SegmentNameError("A segment is sealed between 1970 and 9999, at a whole millisecond.");
  }
  if (!isSession(session)) throw new SegmentNameError("A session has a name of 16 characters of 0-9 and a-z.");
  if (!isSequence(sequence)) throw new SegmentNameError("A sequence is a whole number from 0 on of at most 10 digits.");
  const { text, factCount, hasDetails } = writeFactList(segment.facts);
  const head = JSON.stringify([cluster, kubeSystemUid, sealedAt, session, sequence]);
  const { bytes, sha256 } = wrap(`[${schemaOf(hasDetails)},${head},${text}]`, codec);
  return { key: segmentKey(segment), bytes, sha256, factCount };
}

/** A segment was given a name that no segment can have: a mistake of the code that sealed it. */
class SegmentNameError extends Error {
  override readonly name = "SegmentNameError";
}
