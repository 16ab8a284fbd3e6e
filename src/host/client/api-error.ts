/** A request that the API refused, or an answer that is not from an Outlive API. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** The HTTP status of the answer; absent if there was none. */
  readonly status: number | undefined;
  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** The API knows no such Job, CronJob or cluster, or the reader has no access to it. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}
