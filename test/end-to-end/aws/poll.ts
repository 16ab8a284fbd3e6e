import { setTimeout } from "node:timers/promises";

const PAUSE_MILLIS = 100;

/**
 * Asks again and again until there is an answer, because a deployed stack says nothing when it is done. `patience` only bounds how long a failing test takes:
 * nothing is concluded from how long it took.
 */
export async function poll<Found>(
  what: string,
  ask: () => Promise<Found | undefined>,
  patience = 120_000,
): Promise<Found> {
  const deadline = Date.now() + patience;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Not after ${patience / 1000} s: ${what}.`);
    await setTimeout(PAUSE_MILLIS);
  }
}
