import type { Fact } from "../../job/model/fact.ts";
import { merkleRoot, merkleTree } from "../layout/merkle.ts";
import { encodeSegmentFile, factLeaf, type FiledSegment } from "../layout/segment-file.ts";

export interface SegmentFile {
  readonly bytes: Uint8Array;
  readonly segments: number;
  /** The root of the tree over all facts, lower-case hex. */
  readonly factsRoot: string;
}

/** Where a file ends. One fact takes some hundred bytes of memory until then. */
const FILE_BYTES = 4 << 20;
const FILE_FACTS = 100_000;

/** Collects segments into a file of some megabytes. */
export class SegmentFiler {
  #segments: FiledSegment[] = [];
  #leaves: Buffer[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= FILE_BYTES || this.#leaves.length >= FILE_FACTS;
  }

  add(segment: FiledSegment, sha256: string, facts: readonly Fact[]): void {
    this.#segments.push(segment);
    this.#bytes += segment.bytes.length;
    for (const fact of facts) this.#leaves.push(factLeaf(sha256, fact));
  }

  /** The file of the collected segments, and begins the next one; `undefined` if there are none. */
  take(): SegmentFile | undefined {
    const [segments, leaves] = [this.#segments, this.#leaves];
    if (segments.length === 0) return undefined;
    this.#segments = [];
    this.#leaves = [];
    this.#bytes = 0;
    return {
      bytes: encodeSegmentFile(segments),
      segments: segments.length,
      factsRoot: merkleRoot(merkleTree(leaves)).toString("hex"),
    };
  }
}
