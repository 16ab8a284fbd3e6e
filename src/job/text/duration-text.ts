/**
 * A duration for a sentence: "0 s", "48 s", "3 min 5 s", "2 h 10 min", "5 d 3 h". A negative duration, which results
 * from different clocks, is "0 s".
 */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  for (const [unit, size, part, partSize] of UNITS) {
    if (seconds < size) continue;
    const rest = Math.floor((seconds % size) / partSize);
    const whole = `${Math.floor(seconds / size)} ${unit}`;
    return rest > 0 && part !== "" ? `${whole} ${rest} ${part}` : whole;
  }
  return "0 s";
}

const UNITS = [
  ["d", 86_400, "h", 3_600],
  ["h", 3_600, "min", 60],
  ["min", 60, "s", 1],
  ["s", 1, "", 1],
] as const;
