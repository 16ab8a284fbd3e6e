/** The connection that an answer is sent over. Absent where an answer is sent whole, as in a Lambda function. */
export interface Delivery {
  /** Resolves when the client's system has received the whole answer, or when the connection is closed before that. */
  readonly closed: Promise<void>;
  /** Bytes that were sent and that the client's system has not taken yet. */
  readonly unsentBytes: () => number;
  /** Closes the connection, so that the client does not take an incomplete answer for a complete one. */
  readonly abandon: () => void;
}
