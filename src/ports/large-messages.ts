/** Where messages are kept that are larger than a record may be (docs/architecture.md). One PutObject each. */
export interface LargeMessages {
  /** Keeps the bytes under a name that follows from them: the same ones again change nothing. Durable when the promise resolves. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
}
