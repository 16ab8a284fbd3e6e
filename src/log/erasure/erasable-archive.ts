import type { ClusterName } from "../../job/model/ids.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { Segment } from "../../segment/segment.ts";
import type { Erasure } from "./erasure.ts";
import type { ErasureCounts, ErasureFileName, ErasureScope } from "./erasure-record.ts";

/** An erasure as an archive records it. */
export interface RecordedErasure extends ErasureFileName {
  readonly file: {
    readonly erasure: ErasureScope;
    readonly counts: ErasureCounts;
    /** Salted hashes of the uids of Jobs and of the names of Pods, one after the other. */
    readonly hashes: string;
  };
}

/** Notes an object that records an erasure, before it is written. The archiver lists no others. */
export type NoteErasureFile = (file: ErasureFileName) => Promise<void>;

/** An archive of the log from which data can be erased. */
export interface ErasableArchive {
  readonly store: ObjectStore;
  /** The segments of a cluster, with what is left of those from which facts were erased. */
  segments(cluster: ClusterName): AsyncIterable<Segment>;
  /** The erasures that it records. */
  recorded(): Promise<readonly RecordedErasure[]>;
  /** Finds objects that still have data of erasures, and one of the erasures for each. Reads the whole archive. */
  findErased(erasures: readonly Erasure[]): AsyncIterable<{ readonly erasureId: string }>;
  /** Rewrites or removes objects that have erased data, and records the erasure. Returns how many there were. */
  erase(erasure: Erasure, counts: ErasureCounts, noteFile: NoteErasureFile): Promise<number>;
  /** How many objects {@link erase} would rewrite or remove. Changes nothing. */
  countErased(erasure: Erasure, counts: ErasureCounts): Promise<number>;
}
