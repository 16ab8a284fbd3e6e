import { pause } from "./faults.ts";

/** Resolves when `count` has not changed for `millis`, or after `most`. */
export async function quiet(count: () => number, millis: number, most: number): Promise<void> {
  const end = Date.now() + most;
  let before = count();
  let since = Date.now();
  while (Date.now() - since < millis && Date.now() < end) {
    await pause(500);
    if (count() === before) continue;
    before = count();
    since = Date.now();
  }
}
