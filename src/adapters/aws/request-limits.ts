/**
 * Within a region, a connection takes milliseconds. From elsewhere, a connection that takes longer than this does not
 * succeed.
 */
const CONNECTION_MILLIS = 3_000;

/** Who sends the requests of an SDK client. */
export interface ClientIdentity {
  /** Called again before the credentials expire. @default those of the environment */
  readonly credentials?: () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string;
    readonly expiration: Date;
  }>;
}

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
