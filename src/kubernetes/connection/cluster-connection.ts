/** Requests to one API server, with the credentials of its source. */
export interface ClusterConnection {
  /**
   * Sends GET. Resolves when the response's headers have arrived, and throws ConnectionError where none arrive.
   * After a refusal, credentials, certificates and address are read again.
   */
  get(path: string, options: RequestOptions): Promise<ClusterResponse>;
  /** Sends an object as JSON. The exporter writes nothing in the cluster except its own Lease. */
  send(method: "POST" | "PUT", path: string, options: SendOptions): Promise<ClusterResponse>;
  /** `https://host:port`, for messages. */
  readonly server: string;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** @default application/json */
  readonly accept?: string;
}

export interface SendOptions extends RequestOptions {
  readonly json: string;
}

export interface ClusterResponse {
  readonly status: number;
  readonly contentType: string;
  /** The Date header; `undefined` where it is missing or invalid. */
  readonly date: number | undefined;
  /** The Retry-After header in milliseconds. */
  readonly retryAfterMillis: number | undefined;
  /** The body. Leaving the loop closes the connection. Throws ConnectionError where the body is truncated. */
  readonly body: AsyncIterable<Uint8Array>;
}
