import { type Clock, systemClock } from "../runtime/clock.ts";

/** Resolves to true after `milliseconds`, or to false as soon as `signal` aborts. */
export function pause(milliseconds: number, signal?: AbortSignal, clock: Clock = systemClock): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(false);
      return;
    }
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve(signal?.aborted !== true);
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener("abort", end);
  });
}
