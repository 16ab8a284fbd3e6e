import { signal } from "@preact/signals";

/** The current time, for ages. It does not advance while the tab is hidden. */
export const now = signal(Date.now());

const TICK = 5_000;

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, TICK);
}
