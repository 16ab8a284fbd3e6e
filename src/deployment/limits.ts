/**
 * Requests per second of one reader that an instance of the query function answers, unless the stage says otherwise.
 */
export const DEFAULT_READER_REQUESTS = 20;
