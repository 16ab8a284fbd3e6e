import { EARLIEST, type Instant, parseInstant } from "../../job/model/instant.ts";
import { parseTimeSpan } from "../../job/text/time-span.ts";

/** A time as a reader writes it: an RFC 3339 time, or how long before now. */
export type GivenTime = Instant | { readonly millisAgo: number };

export type ReadTime = { readonly value: GivenTime } | { readonly problem: string };

const FORM = "an RFC 3339 time, such as 2025-01-31T08:00:00Z, or a duration before now, such as 2h, 90m or 7d";

/** Reads a time. The problem continues a sentence about it: "must be ...". */
export function readGivenTime(text: string): ReadTime {
  const instant = parseInstant(text);
  if (instant !== undefined) return { value: instant };
  const millisAgo = parseTimeSpan(text);
  if (millisAgo === undefined) return { problem: `must be ${FORM}${hintFor(text)}` };
  if (millisAgo > LONGEST) return { problem: "must not reach back more than 2000 years" };
  return { value: { millisAgo } };
}

/** The instant of a time. `now` is the time of the question, for recordings too. */
export function instantAt(time: GivenTime | undefined, now: Instant): Instant | undefined {
  return typeof time === "number" ? time : time && Math.max(EARLIEST, Math.floor(now - time.millisAgo));
}

/** Whether a duration before now gives an instant that RFC 3339 can represent. */
const LONGEST = 2_000 * 365 * 86_400_000;

function hintFor(text: string): string {
  return /^[-+]/.test(text) && parseTimeSpan(text.slice(1)) !== undefined
    ? `: a duration has no sign, and always counts back from now`
    : "";
}
