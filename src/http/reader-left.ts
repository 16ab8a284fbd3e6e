import type { Turn } from "../ports/concurrency/fair-turns.ts";

/** The client closed the connection before the answer was complete. */
export class ReaderLeftError extends Error {
  override readonly name = "ReaderLeftError";

  constructor() {
    super("The client closed the connection before the answer was complete.");
  }
}

export function requirePresent(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ReaderLeftError();
}

/** The same turns, which throw once the reader has disconnected, so that no further read begins. */
export function turnsUntilLeft(turn: Turn, signal: AbortSignal | undefined): Turn {
  return () => {
    requirePresent(signal);
    return turn();
  };
}
