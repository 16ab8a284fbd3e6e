/** Within a region a connection is made in milliseconds; a machine elsewhere that has not reached AWS by then does not reach it. */
const CONNECTION_MILLIS = 3_000;

/** What holds a client of the SDK to time. */
export interface RequestLimits {
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  /** Without it the SDK only warns of a request that takes too long. */
  readonly throwOnRequestTimeout: true;
}

/** The `requestHandler` of a client whose requests are given up after `requestMillis`. */
export function requestLimits(requestMillis: number, connectionMillis = CONNECTION_MILLIS): RequestLimits {
  return { connectionTimeout: connectionMillis, requestTimeout: requestMillis, throwOnRequestTimeout: true };
}
