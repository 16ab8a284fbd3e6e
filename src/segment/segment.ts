import type { Fact } from "../job/model/fact.ts";
import type { SegmentKey, SegmentName } from "./segment-key.ts";

/** Facts of many Jobs, sealed together: one message in the queue and one item in the log. */
export interface Segment extends SegmentName {
  readonly schemaVersion: number;
  /** `metadata.uid` of namespace kube-system, which identifies the cluster. Absent in recordings. */
  readonly kubeSystemUid?: string;
  readonly facts: readonly Fact[];
}

/** A segment as it is sent and stored. */
export interface SealedSegment {
  readonly key: SegmentKey;
  /** Codec byte, checksum and compressed canonical text (src/segment/envelope.ts). */
  readonly bytes: Uint8Array;
  /**
   * SHA-256 of the canonical text, in lower-case hex. Equal segments have equal hashes, whatever their
   * compression.
   */
  readonly sha256: string;
  readonly factCount: number;
}
