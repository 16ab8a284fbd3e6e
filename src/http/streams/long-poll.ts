/**
 * The longest wait of one request: API Gateway ends an integration after 29 s. Clients repeat the request to wait
 * longer.
 */
export const MAX_WAIT_SECONDS = 25;

/** Polling interval of waiting requests and streams. A projection lags by about a second anyway. */
export const POLL_MILLIS = 1_000;
