/** Stores messages that are larger than a record may be (docs/operations.md). One PutObject or GetObject each. */
export interface LargeMessages {
  /**
   * Stores bytes under a name that is derived from them, so that a repetition changes nothing. Durable when it
   * resolves.
   */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes with this name; `undefined` if there are none, or if they have expired. */
  read(name: string): Promise<Uint8Array | undefined>;
}

/** Large messages of which an erasure removes data: `keep` replaces them. */
export interface ErasableMessages extends LargeMessages {
  /** Succeeds if there is none. */
  remove(name: string): Promise<void>;
}
