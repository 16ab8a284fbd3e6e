import type { Fact } from "../job/model/fact.ts";
import type { SegmentKey, SegmentName } from "./segment-key.ts";

/** Facts of many Jobs, sealed together: one message in the queue and one item in the log. */
export interface Segment extends SegmentName {
  readonly schemaVersion: number;
  /** `metadata.uid` of namespace kube-system, which identifies the cluster. Absent in recordings. */
  readonly kubeSystemUid?: string;
  readonly facts: readonly Fact[];
  /** Present where facts were erased from the segment after it was sealed (erase-facts.ts). */
  readonly erased?: ErasedFacts;
}

/** What a segment says about facts that were erased from it. It keeps its key. */
export interface ErasedFacts {
  /** SHA-256 of the canonical text as it was sealed, lower-case hex. A redelivery of the original is a duplicate. */
  readonly sha256: string;
  /** How many facts were erased. */
  readonly facts: number;
  /** The ids of the erasures, in order of their names. */
  readonly by: readonly string[];
}

/** A segment as it is sent and stored. */
export interface SealedSegment {
  readonly key: SegmentKey;
  /** Codec byte, checksum and compressed canonical text (src/segment/envelope.ts). */
  readonly bytes: Uint8Array;
  /**
   * SHA-256 of the canonical text, in lower-case hex. Equal segments have equal hashes, whatever their
   * compression. Of a segment with erased facts, it is the hash of the original.
   */
  readonly sha256: string;
  readonly factCount: number;
}
