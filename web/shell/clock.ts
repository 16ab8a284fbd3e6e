import { signal } from "@preact/signals";

/** The reader's clock, for ages. It stands still while nobody looks. */
export const now = signal(Date.now());

const TICK = 5_000;

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, TICK);
}
