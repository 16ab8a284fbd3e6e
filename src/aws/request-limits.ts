/**
 * Within a region, a connection takes milliseconds. From elsewhere, a connection that takes longer than this does not
 * succeed.
 */
const CONNECTION_MILLIS = 3_000;

/** The timeouts of an SDK client. */
export interface RequestLimits {
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  /** Otherwise the SDK only logs a warning. */
  readonly throwOnRequestTimeout: true;
}

/** The `requestHandler` of a client whose requests time out after `requestMillis`. */
export function requestLimits(requestMillis: number, connectionMillis = CONNECTION_MILLIS): RequestLimits {
  return { connectionTimeout: connectionMillis, requestTimeout: requestMillis, throwOnRequestTimeout: true };
}
