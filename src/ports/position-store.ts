/** Where the position of one capture is kept, for the process that goes on with it. The text is JSON. */
export interface PositionStore {
  read(): Promise<string | undefined>;
  /** Durable when it resolves. */
  write(position: string): Promise<void>;
}
