import { setTimeout } from "node:timers/promises";

export interface PollOptions {
  /** Milliseconds after which a test fails. @default 300,000 */
  readonly patience?: number;
  /** Milliseconds before the second question; later ones come more seldom. @default 100 */
  readonly pause?: number;
}

/** The pause before the next poll, as a share of the time waited so far: long waits must not keep an emulator busy. */
const PAUSE_SHARE = 0.1;

/**
 * Polls until there is an answer, because a deployed stack does not report when it is done. `patience` only limits the
 * duration of a failing test: nothing is concluded from how long it took.
 */
export async function poll<Found>(
  what: string,
  ask: () => Promise<Found | undefined>,
  { patience = 300_000, pause = 100 }: PollOptions = {},
): Promise<Found> {
  const begin = Date.now();
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    const waited = Date.now() - begin;
    if (waited > patience) throw new Error(`Not after ${patience / 1000} s: ${what}.`);
    await setTimeout(Math.max(pause, waited * PAUSE_SHARE));
  }
}
