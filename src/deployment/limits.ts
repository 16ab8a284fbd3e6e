/**
 * Requests per second of one reader that an instance of the query function answers, unless the stage says otherwise.
 */
export const DEFAULT_READER_REQUESTS = 20;

/**
 * How often a message is received before SQS moves it to the dead-letter queue: SQS's most (1 to 1,000). At the longest
 * wait of ingest (five minutes), that takes two to three days. Where the function is killed each time, it takes 1,000
 * visibility timeouts (a minute): 16 hours.
 */
export const MAX_RECEIVES = 1_000;
