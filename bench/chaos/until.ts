import { setTimeout as pause } from "node:timers/promises";

/** The path did not recover. */
export class StuckError extends Error {
  override readonly name = "StuckError";
}

const PERIOD_MILLIS = 500;
/** Messages of a killed function are delivered again after a minute, up to five times. A busy machine is slow. */
const PATIENCE_MILLIS = 10 * 60_000;

/** Resolves when `isMet`. Throws StuckError if that takes too long. */
export async function until(what: string, isMet: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MILLIS; !(await isMet()); await pause(PERIOD_MILLIS)) {
    if (Date.now() > end) throw new StuckError(`Not after ${PATIENCE_MILLIS / 60_000} minutes: ${what}.`);
  }
}
