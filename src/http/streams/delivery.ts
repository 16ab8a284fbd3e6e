/** The connection that an answer is sent over. Absent where an answer is sent whole, as in a Lambda function. */
export interface Delivery {
  /** Resolves when the client's system has taken the whole answer, and when the connection was closed before. */
  readonly closed: Promise<void>;
  /** Bytes that were sent and that the client's system has not taken yet. */
  readonly unsentBytes: () => number;
  /** Closes the connection, so that the client does not take an incomplete answer for a complete one. */
  readonly abandon: () => void;
}
