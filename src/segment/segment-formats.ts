import { decodeSegment } from "./decode-segment.ts";

/** The formats of some segments. */
export interface SegmentFormats {
  /** How many were decoded. */
  readonly segments: number;
  /** Their schemas, in ascending order. */
  readonly schemas: readonly number[];
  /** Why those cannot be decoded that a later release wrote, each reason once. */
  readonly newer: readonly string[];
  /** How many no release can decode. */
  readonly damaged: number;
}

export function segmentFormats(sealed: Iterable<Uint8Array>): SegmentFormats {
  const schemas = new Set<number>();
  const newer = new Set<string>();
  let [segments, damaged] = [0, 0];
  for (const bytes of sealed) {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "decoded") {
      segments += 1;
      schemas.add(decoded.segment.schemaVersion);
    } else if (decoded.problem === "newer") newer.add(decoded.reason);
    else damaged += 1;
  }
  return { segments, schemas: [...schemas].toSorted((a, b) => a - b), newer: [...newer], damaged };
}
