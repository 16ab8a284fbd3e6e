const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * Bounds and units of `duration.HumanDuration` (k8s.io/apimachinery): below the bound, the larger unit is printed, and
 * the smaller one unless it is zero.
 */
const SCALES = [
  { below: 2 * MINUTE, unit: SECOND, letter: "s" },
  { below: 10 * MINUTE, unit: MINUTE, letter: "m", rest: { unit: SECOND, letter: "s" } },
  { below: 3 * HOUR, unit: MINUTE, letter: "m" },
  { below: 8 * HOUR, unit: HOUR, letter: "h", rest: { unit: MINUTE, letter: "m" } },
  { below: 2 * DAY, unit: HOUR, letter: "h" },
  { below: 8 * DAY, unit: DAY, letter: "d", rest: { unit: HOUR, letter: "h" } },
  { below: 2 * YEAR, unit: DAY, letter: "d" },
  { below: 8 * YEAR, unit: YEAR, letter: "y", rest: { unit: DAY, letter: "d" } },
] as const;

/**
 * A time span as kubectl prints ages and durations: 5s, 3m12s, 2h, 4d. A span of more than -2 s is 0s, because clocks
 * differ.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return "<invalid>";
  const span = Math.max(0, milliseconds);
  const scale = SCALES.find(({ below }) => span < below);
  if (scale === undefined) return `${Math.floor(span / YEAR)}y`;
  const whole = `${Math.floor(span / scale.unit)}${scale.letter}`;
  if (!("rest" in scale)) return whole;
  const rest = Math.floor((span % scale.unit) / scale.rest.unit);
  return rest === 0 ? whole : `${whole}${rest}${scale.rest.letter}`;
}
