/**
 * Immutable objects under keys like `manifest/dt=2026-11-21/hour=08/manifest.json`: a folder, or a bucket. Each
 * operation is one request to S3 (a page of ListObjectsV2, a GetObject, a conditional PutObject, a DeleteObject).
 */
export interface ObjectStore {
  /** Where the objects are, for messages: a folder's path or `s3://bucket/prefix`. */
  readonly name: string;
  /** Writes the object unless its key is taken. Complete and durable when it resolves. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<"stored" | "exists">;
  /** The object, or the part of it from `start` (inclusive) to `end` (exclusive); `undefined` if there is none. */
  read(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** The objects whose keys begin with `prefix`, a folder with its slash, in order of the keys' UTF-8 bytes. */
  list(prefix: string): AsyncIterable<ObjectEntry>;
  /** Deletes the object. Succeeds if there is none. */
  remove(key: string): Promise<void>;
  /** Deletes the object with all its earlier versions, in a store that keeps them. Only an erasure may do that. */
  erase?(key: string): Promise<void>;
  /**
   * Deletes what the store still keeps of objects below `prefix` that it does not list any more, in a store that keeps
   * versions. Returns how many there were.
   */
  eraseHidden?(prefix: string, isWanted: (key: string) => boolean): Promise<number>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ObjectEntry {
  readonly key: string;
  readonly bytes: number;
}
