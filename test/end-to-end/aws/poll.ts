import { setTimeout } from "node:timers/promises";

export interface PollOptions {
  /** Milliseconds after which a test fails. @default 120,000 */
  readonly patience?: number;
  /** Milliseconds between two questions. @default 100 */
  readonly pause?: number;
}

/**
 * Asks again and again until there is an answer, because a deployed stack says nothing when it is done. `patience` only bounds how long a failing test takes:
 * nothing is concluded from how long it took.
 */
export async function poll<Found>(
  what: string,
  ask: () => Promise<Found | undefined>,
  { patience = 120_000, pause = 100 }: PollOptions = {},
): Promise<Found> {
  const deadline = Date.now() + patience;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Not after ${patience / 1000} s: ${what}.`);
    await setTimeout(pause);
  }
}
