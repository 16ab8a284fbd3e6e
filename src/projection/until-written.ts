import { attemptsOf, type Retry } from "../ports/concurrency/retry.ts";

/** No time was left for another attempt. The log still holds the facts, so the caller projects the segments again. */
class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";

  constructor(what: string) {
    super(`Cannot write ${what}: no time is left before the function's limit. Project its segments again.`);
  }
}

/**
 * Another writer came first in every attempt. The log still holds the facts, so the caller projects the segments again.
 */
class ContentionError extends Error {
  override readonly name = "ContentionError";

  constructor(what: string, { attempts }: Retry) {
    super(
      `Cannot write ${what}: another writer came first in each of ${attempts} attempts. Project its segments again.`,
    );
  }
}

/** Runs `attempt` (read, join, conditional write) until it does not conflict. Throws when attempts or time run out. */
export async function untilWritten<Done extends string>(
  what: string,
  retry: Retry,
  attempt: () => Promise<Done | "conflict">,
): Promise<Done> {
  for await (const _ of attemptsOf(retry)) {
    if (retry.hasTime?.() === false) throw new OutOfTimeError(what);
    const outcome = await attempt();
    if (outcome !== "conflict") return outcome;
  }
  throw new ContentionError(what, retry);
}
