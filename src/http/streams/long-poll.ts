/**
 * The longest wait of one request: API Gateway ends an integration after 29 s. Clients repeat the request to wait
 * longer.
 */
export const MAX_WAIT_SECONDS = 25;

/** Polling interval of waiting requests and streams. A projection lags by about a second anyway. */
export const POLL_MILLIS = 1_000;

/** A poll for changes takes two requests to the store for each cluster. A waiting reader makes this many a second. */
const REQUESTS_PER_SECOND = 20;

/** Polling interval of a request that waits for changes in this many clusters. */
export function pollMillis(clusters: number): number {
  return Math.max(POLL_MILLIS, (clusters * 2 * 1_000) / REQUESTS_PER_SECOND);
}
