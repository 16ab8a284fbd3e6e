import type { Instant } from "../../job/model/instant.ts";
import type { Fact } from "../../job/model/fact.ts";
import { canonical } from "../../job/model/canonical.ts";
import { leafHash } from "./merkle.ts";

/**
 * A file of sealed segments, one after the other, exactly as the log has them. Before each: its arrival (milliseconds
 * since 1970, 0 if it arrived when it was sealed) in 8 bytes and its length in 4, big-endian.
 */
export interface FiledSegment {
  readonly bytes: Uint8Array;
  /** When it was appended to the log, if that was long after it was sealed. */
  readonly lateAt?: Instant;
}

const MAGIC = Buffer.from("OUTSEG1\n");
const HEAD_BYTES = 12;

export function encodeSegmentFile(segments: readonly FiledSegment[]): Uint8Array {
  return Buffer.concat([MAGIC, ...segments.flatMap(({ bytes, lateAt = 0 }) => [headOf(bytes.length, lateAt), bytes])]);
}

function headOf(length: number, lateAt: Instant): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeBigUInt64BE(BigInt(lateAt), 0);
  head.writeUInt32BE(length, 8);
  return head;
}

export type DecodedSegmentFile =
  | { readonly outcome: "decoded"; readonly segments: readonly FiledSegment[] }
  | { readonly outcome: "rejected"; readonly reason: string };

/** The segments of a file. A file that ends within a segment is rejected. */
export function decodeSegmentFile(file: Uint8Array): DecodedSegmentFile {
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!buffer.subarray(0, MAGIC.length).equals(MAGIC)) {
    return { outcome: "rejected", reason: "It is not a file of segments: it begins with other bytes." };
  }
  const segments: FiledSegment[] = [];
  let offset = MAGIC.length;
  while (offset < buffer.length) {
    const begin = offset + HEAD_BYTES;
    const end = begin <= buffer.length ? begin + buffer.readUInt32BE(offset + 8) : Infinity;
    if (end > buffer.length) return { outcome: "rejected", reason: `It is truncated after ${offset} bytes.` };
    const lateAt = Number(buffer.readBigUInt64BE(offset));
    segments.push({ bytes: buffer.subarray(begin, end), ...(lateAt > 0 && { lateAt }) });
    offset = end;
  }
  return { outcome: "decoded", segments };
}

/** The leaf of a fact in the tree of its segment file: what it says, and which segment said it. */
export function factLeaf(segmentSha256: string, fact: Fact): Buffer {
  return leafHash(`${segmentSha256} ${canonical(fact)}`);
}
