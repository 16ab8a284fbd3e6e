import { createHash } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Fact } from "../../src/job/model/fact.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { encodeFacts } from "../../src/segment/fact-list.ts";
import { isFact } from "../../src/segment/fact-check.ts";
import { groupFacts, ungroupFacts } from "../../src/segment/fact-order.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import type { Segment } from "../../src/segment/segment.ts";

export type Unsealed = Omit<Segment, "schemaVersion">;

/** A way to encode a segment. Every codec keeps the canonical order, the head and eight bytes of the text's SHA-256. */
export interface SegmentCodec {
  readonly name: string;
  encode(segment: Unsealed): Uint8Array;
  decode(bytes: Uint8Array): readonly Fact[];
  /** The facts of one Job as in its state item. */
  encodeState(facts: readonly Fact[]): Uint8Array;
}

/** The product's codec: columns, then deflate with a fixed dictionary. */
export const columnar: SegmentCodec = {
  name: "columnar",
  encode: (segment) => sealSegment(segment).bytes,
  decode: (bytes) => {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome !== "decoded") throw new Error(`A segment was not decoded: ${decoded.reason}`);
    return decoded.segment.facts;
  },
  encodeState: encodeFacts,
};

const CHECK_BYTES = 8;

/** JSON of the facts, compressed with zstd, with a dictionary if given. */
export function jsonZstd(name: string, level: number, dictionary?: Uint8Array): SegmentCodec {
  const opening = dictionary === undefined ? {} : { dictionary: Buffer.from(dictionary) };
  const options = { params: { [constants.ZSTD_c_compressionLevel]: level }, ...opening };
  const sealText = (text: string) => {
    const check = createHash("sha256").update(text).digest().subarray(0, CHECK_BYTES);
    return Buffer.concat([Buffer.of(0), check, zstdCompressSync(text, options)]);
  };
  return {
    name,
    encode: (segment) => sealText(jsonText(segment)),
    decode: (bytes) => {
      const text = zstdDecompressSync(bytes.subarray(1 + CHECK_BYTES), opening);
      const check = createHash("sha256").update(text).digest().subarray(0, CHECK_BYTES);
      if (!check.equals(bytes.subarray(1, 1 + CHECK_BYTES))) throw new Error("A check sum differs.");
      const [, , facts] = JSON.parse(text.toString()) as readonly [number, unknown, readonly unknown[]];
      return facts.filter(isFact);
    },
    encodeState: (facts) => sealText(JSON.stringify([1, [...ungroupFacts(groupFacts(facts))]])),
  };
}

/** The segment as JSON, in canonical order. */
export function jsonText({ cluster, kubeSystemUid = "", sealedAt, session, sequence, facts }: Unsealed): string {
  const head = [cluster, kubeSystemUid, sealedAt, session, sequence];
  return JSON.stringify([1, head, [...ungroupFacts(groupFacts(facts))]]);
}
