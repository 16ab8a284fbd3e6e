import type { Fact } from "../job/model/fact.ts";
import type { SegmentKey, SegmentName } from "./segment-key.ts";

/** Many facts of many Jobs, sealed together: one message of the queue, one item of the log. */
export interface Segment extends SegmentName {
  readonly schemaVersion: number;
  /** `metadata.uid` of namespace kube-system: which cluster this is, whatever it is called. Absent where nobody asked, as for recordings. */
  readonly kubeSystemUid?: string;
  readonly facts: readonly Fact[];
}

/** A segment as it travels and is kept. */
export interface SealedSegment {
  readonly key: SegmentKey;
  /** Codec byte, check sum, compressed canonical text (src/segment/envelope.ts). */
  readonly bytes: Uint8Array;
  /** SHA-256 of the canonical text, lower-case hex: equal for equal segments, however they were compressed. */
  readonly sha256: string;
  readonly factCount: number;
}
