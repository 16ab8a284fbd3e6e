/** Requests to one API server, with whatever credentials it takes. */
export interface ClusterConnection {
  /**
   * Sends GET. Resolves when the response's head has come; throws ConnectionError where none comes. Credentials, certificates and address are
   * read anew after they were refused.
   */
  get(path: string, options: RequestOptions): Promise<ClusterResponse>;
  /** Sends an object as JSON. Of all that is in a cluster, only the exporter's own Lease is written. */
  send(method: "POST" | "PUT", path: string, json: string, options: RequestOptions): Promise<ClusterResponse>;
  /** `https://host:port`, for sentences. */
  readonly server: string;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** @default application/json */
  readonly accept?: string;
}

export interface ClusterResponse {
  readonly status: number;
  readonly contentType: string;
  /** The Date header; `undefined` where it is missing or unreadable. */
  readonly date: number | undefined;
  /** The Retry-After header in milliseconds. */
  readonly retryAfterMillis: number | undefined;
  /** The body; breaking off the loop closes the connection. Throws ConnectionError where it is cut. */
  readonly body: AsyncIterable<Uint8Array>;
}
