import { humanDuration } from "../../src/job/text/human-duration.ts";

/** A duration as kubectl prints it (`48s`, `3m5s`, `2d`); below a second in milliseconds. */
export function spanText(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 1_000) return `${Math.round(milliseconds)}ms`;
  return humanDuration(Math.max(0, milliseconds));
}
