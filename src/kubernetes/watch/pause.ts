import type { Clock } from "../../runtime/clock.ts";

/** Resolves after `milliseconds`, or as soon as `signal` aborts. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener("abort", end);
  });
}
