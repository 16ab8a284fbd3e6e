import { computed, signal } from "@preact/signals";
import { now } from "../shell/clock.ts";
import { readVisits, type Visits, whileVisible } from "./visits.ts";

/** One browser may read several servers, or several stages below one address. */
const KEY = `outlive.visits ${location.pathname}`;
/** How often the page notes that it is visible. */
const NOTE_MILLIS = 30_000;

const stored = signal<Visits | undefined>(undefined);

/** The visits of this browser to this server. */
export const visits = computed(() => stored.value);

/** Other tabs may have stored more, so the stored value is changed and not this tab's copy. */
export function changeVisits(change: (visits: Visits) => Visits): void {
  const next = change(whileVisible(readVisits(localStorage.getItem(KEY)), Date.now()));
  stored.value = next;
  localStorage.setItem(KEY, JSON.stringify(next));
}

function note(): void {
  changeVisits((same) => same);
}

export function startVisits(): void {
  document.addEventListener("visibilitychange", note);
  addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY) stored.value = readVisits(newValue) ?? stored.peek();
  });
  now.subscribe((at) => {
    const { activeAt = 0 } = stored.peek() ?? {};
    if (!document.hidden && Math.abs(at - activeAt) >= NOTE_MILLIS) note();
  });
}
