/** The longest that an answer waits for news: API Gateway gives up on an integration after 29 s, so a longer wait is several of these, one after the other. */
export const MAX_WAIT_SECONDS = 25;

/** How often it is looked for news while an answer or a stream waits: a projection is about a second behind. */
export const POLL_MILLIS = 1_000;
