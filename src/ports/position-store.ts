/** Stores the position (JSON text) from which the next process continues a capture. */
export interface PositionStore {
  read(): Promise<string | undefined>;
  /** Durable when it resolves. */
  write(position: string): Promise<void>;
}
