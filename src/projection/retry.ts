/** How a write that met another writer is tried again. */
export interface Retry {
  /** How often in all. */
  readonly attempts: number;
  /** Waits before attempt `attempt` (the second is 2), some random time, so that writers who met once do not meet again in step. */
  readonly pause: (attempt: number) => Promise<void>;
  /** Whether to begin anything more: a function ends at its time limit, whatever it is at. @default always */
  readonly hasTime?: () => boolean;
}

/** There was no time left to begin. What was to be written is in the log: fold its segments again. */
class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";

  constructor() {
    super("There was no time left to fold this; its segments are to be folded again.");
  }
}

/** Somebody else wrote first each time. What was to be written is still in the log: fold its segments again. */
class ContentionError extends Error {
  override readonly name = "ContentionError";

  constructor(what: string, { attempts }: Retry) {
    super(`${what} was written by others in each of ${attempts} attempts; its segments are to be folded again.`);
  }
}

/** Runs `attempt` (read, join, write on condition) until it does not conflict. Throws {@link ContentionError} when it always does, {@link OutOfTimeError} when there is no time. */
export async function untilWritten<Done extends string>(
  what: string,
  retry: Retry,
  attempt: () => Promise<Done | "conflict">,
): Promise<Done> {
  for (let count = 1; count <= retry.attempts; count += 1) {
    if (retry.hasTime?.() === false) throw new OutOfTimeError();
    if (count > 1) await retry.pause(count);
    const outcome = await attempt();
    if (outcome !== "conflict") return outcome;
  }
  throw new ContentionError(what, retry);
}
