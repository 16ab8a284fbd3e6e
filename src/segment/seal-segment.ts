import { wrap } from "./envelope.ts";
import { writeFactList } from "./fact-list-v1.ts";
import type { SealedSegment, Segment } from "./segment.ts";
import { isSealedAt, isSequence, isSession, segmentKey } from "./segment-key.ts";

/**
 * Seals facts into the bytes that are sent and stored. Key and canonical text depend only on the content
 * (docs/architecture.md, invariant 2): order and duplicates of the facts make no difference.
 * Throws {@link SegmentNameError} where the name could not be read back.
 */
export function sealSegment(segment: Omit<Segment, "schemaVersion">): SealedSegment {
  const { cluster, sealedAt, session, sequence, kubeSystemUid = "" } = segment;
  if (!isSealedAt(sealedAt)) {
    throw new SegmentNameError("Cannot seal a segment: sealedAt must be whole milliseconds from 1970 to 9999.");
  }
  if (!isSession(session)) throw new SegmentNameError("Cannot seal a segment: the session must match [0-9a-z]{16}.");
  if (!isSequence(sequence)) throw new SegmentNameError("Cannot seal a segment: the sequence has at most 10 digits.");
  const { text, factCount, schema } = writeFactList(segment.facts);
  const head = JSON.stringify([cluster, kubeSystemUid, sealedAt, session, sequence]);
  const { erased } = segment;
  if (erased === undefined) {
    const { bytes, sha256 } = wrap(`[${schema},${head},${text}]`);
    return { key: segmentKey(segment), bytes, sha256, factCount };
  }
  const mark = JSON.stringify([erased.sha256, erased.facts, ...erased.by]);
  const { bytes } = wrap(`[${ERASED_SCHEMA},${head},${text},${mark}]`);
  return { key: segmentKey(segment), bytes, sha256: erased.sha256, factCount };
}

/** Earlier releases cannot read segments with erased facts: they would take the remains for a different segment. */
const ERASED_SCHEMA = 5;

/** The caller gave a segment an invalid name. */
class SegmentNameError extends Error {
  override readonly name = "SegmentNameError";
}
