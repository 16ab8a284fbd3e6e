/** Where messages are kept that are larger than a record may be (docs/operations.md). One PutObject or GetObject each. */
export interface LargeMessages {
  /** Keeps the bytes under a name that follows from them: the same ones again change nothing. Durable when the promise resolves. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** What was kept under the name; `undefined` where nothing is, or no longer. */
  read(name: string): Promise<Uint8Array | undefined>;
}
