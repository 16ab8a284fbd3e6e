import type { WatchEnd } from "./watch-event.ts";

/**
 * The server no longer has the changes since a resourceVersion: 410 Gone, as an ERROR event or as the response's
 * status.
 */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
}

/** A watch that cannot continue: an ERROR event of another kind, or invalid data. */
export class BrokenWatchError extends Error {
  override readonly name = "BrokenWatchError";
}

export function watchErrorOf(event: WatchEnd): ExpiredError | BrokenWatchError {
  if (event.kind === "garbled") {
    return new BrokenWatchError(`The watch received invalid data: ${JSON.stringify(event.text)}.`);
  }
  const message = `The watch ended: ${event.message.slice(0, 256)} (${event.code})`;
  return event.code === 410 ? new ExpiredError(message) : new BrokenWatchError(message);
}
