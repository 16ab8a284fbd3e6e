import { localDay, localTime } from "../text/instant-text.ts";

/** Steps between ticks that people read at a glance, in milliseconds: 1 s to 7 d. */
const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
].map((seconds) => seconds * 1_000);

/** Ticks of a time axis, at most about `most` of them, on round times of the reader's clock. */
export function axisTicks(from: number, to: number, most: number): readonly number[] {
  const wanted = (to - from) / Math.max(1, most);
  const whole = STEPS.find((step) => step >= wanted);
  const step = whole ?? Math.ceil(wanted / LAST_STEP) * LAST_STEP;
  const zone = new Date(from).getTimezoneOffset() * 60_000;
  const first = Math.ceil((from - zone) / step) * step + zone;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}

const LAST_STEP = 604_800_000;

/** What stands at a tick: the time of day, and at midnight the day that begins. */
export function tickText(at: number): string {
  const time = localTime(at);
  return time === "00:00:00" ? localDay(at) : time;
}
