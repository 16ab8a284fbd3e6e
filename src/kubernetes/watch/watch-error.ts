import type { WatchEnd } from "./watch-event.ts";

/** The server no longer knows what happened since a resourceVersion: 410 Gone, as an ERROR event or as the status of the response. */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
}

/** A watch that cannot be read on: an ERROR event of another kind, or something that is no event. */
export class BrokenWatchError extends Error {
  override readonly name = "BrokenWatchError";
}

export function watchErrorOf(event: WatchEnd): ExpiredError | BrokenWatchError {
  if (event.kind === "garbled") {
    return new BrokenWatchError(`The watch brought what is no event, beginning ${JSON.stringify(event.text)}.`);
  }
  const said = `The watch ended: ${event.message.slice(0, 256)} (${event.code})`;
  return event.code === 410 ? new ExpiredError(said) : new BrokenWatchError(said);
}
