/** The server no longer knows what happened since a resourceVersion: 410 Gone, as an ERROR event or as the status of the response. */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
}

/** A watch that cannot be read on: an ERROR event of another kind, or something that is no event. */
export class BrokenWatchError extends Error {
  override readonly name = "BrokenWatchError";
}
