import type { ClusterName } from "../../job/model/ids.ts";
import type { Fact } from "../../job/model/fact.ts";
import { merkleRoot, merkleTree } from "../layout/merkle.ts";
import { encodeSegmentFile, factLeaf, type FiledSegment } from "../layout/segment-file.ts";

export interface SegmentFile {
  readonly cluster: ClusterName;
  readonly bytes: Uint8Array;
  readonly segments: number;
  /** The root of the tree over all facts, lower-case hex. */
  readonly factsRoot: string;
}

export interface FilerLimits {
  /** The size at which a file is finished. */
  readonly fileBytes: number;
  readonly fileFacts: number;
  /** The facts of all open files. Above it, the file with the most facts is finished. */
  readonly openFacts: number;
}

/** Until a file is finished, a fact takes some hundred bytes of memory. */
const LIMITS: FilerLimits = { fileBytes: 4 << 20, fileFacts: 100_000, openFacts: 400_000 };

export interface SegmentToFile extends FiledSegment {
  readonly cluster: ClusterName;
  readonly sha256: string;
  readonly facts: readonly Fact[];
}

/** Collects the segments of each cluster into files of some megabytes. The same segments give the same files. */
export class SegmentFiler {
  readonly #limits: FilerLimits;
  readonly #open = new Map<ClusterName, OpenFile>();
  #facts = 0;

  constructor(limits: FilerLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Adds a segment, and yields the files that are full. */
  *add({ cluster, sha256, facts, ...segment }: SegmentToFile): Generator<SegmentFile> {
    const file = this.#open.get(cluster) ?? new OpenFile(cluster);
    this.#open.set(cluster, file);
    file.add(segment, sha256, facts);
    this.#facts += facts.length;
    const { fileBytes, fileFacts, openFacts } = this.#limits;
    if (file.bytes >= fileBytes || file.facts >= fileFacts) yield this.#finish(file);
    while (this.#facts > openFacts) yield this.#finish(this.#largest());
  }

  /** The files of the remaining segments. */
  *finish(): Generator<SegmentFile> {
    // A Map may be deleted from while it is iterated.
    for (const file of this.#open.values()) yield this.#finish(file);
  }

  #largest(): OpenFile {
    return [...this.#open.values()].reduce((most, file) => (file.facts > most.facts ? file : most));
  }

  #finish(file: OpenFile): SegmentFile {
    this.#facts -= file.facts;
    this.#open.delete(file.cluster);
    return file.finish();
  }
}

class OpenFile {
  readonly cluster: ClusterName;
  readonly #segments: FiledSegment[] = [];
  readonly #leaves: Buffer[] = [];
  bytes = 0;

  constructor(cluster: ClusterName) {
    this.cluster = cluster;
  }

  get facts(): number {
    return this.#leaves.length;
  }

  add(segment: FiledSegment, sha256: string, facts: readonly Fact[]): void {
    this.#segments.push(segment);
    this.bytes += segment.bytes.length;
    for (const fact of facts) this.#leaves.push(factLeaf(sha256, fact));
  }

  finish(): SegmentFile {
    return {
      cluster: this.cluster,
      bytes: encodeSegmentFile(this.#segments),
      segments: this.#segments.length,
      factsRoot: merkleRoot(merkleTree(this.#leaves)).toString("hex"),
    };
  }
}
