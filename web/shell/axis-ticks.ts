import { localDay, localTime } from "../text/instant-text.ts";

/** Round steps between ticks, in milliseconds: 1 s to 7 d. */
const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
].map((seconds) => seconds * 1_000);

/** About `most` ticks of a time axis, at round times in the reader's time zone. */
export function axisTicks(from: number, to: number, most: number): readonly number[] {
  const wanted = (to - from) / Math.max(1, most);
  const whole = STEPS.find((step) => step >= wanted);
  const step = whole ?? Math.ceil(wanted / LAST_STEP) * LAST_STEP;
  const zone = new Date(from).getTimezoneOffset() * 60_000;
  const first = Math.ceil((from - zone) / step) * step + zone;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}

const LAST_STEP = 604_800_000;

/** The label of a tick: the time of day, or the date at midnight. */
export function tickText(at: number): string {
  const time = localTime(at);
  return time === "00:00:00" ? localDay(at) : time;
}
