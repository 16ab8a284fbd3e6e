import type { Instant } from "../model/instant.ts";

/** The date and time of day in a time zone. */
export interface LocalTime {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** The clock of a time zone (IANA name). Throws RangeError if it is unknown: check it with {@link isTimeZone} first. */
export function localClock(timeZone: string): (at: Instant) => LocalTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (at) => {
    // "Sat, 11/21/2026, 08:38"
    const text = format.format(at);
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (text.match(/\d+/g) ?? []).map(Number);
    return { year, month, day, hour, minute, weekday: WEEKDAYS.indexOf(text.slice(0, 3)) };
  };
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The UTC offset of every time zone is a multiple of 15 minutes, so no day begins within a quarter of an hour. */
const QUARTER_MILLIS = 900_000;

/**
 * The calendar day of an instant in a time zone, `yyyy-mm-dd`. Formatting takes 20 microseconds, and a month of a
 * CronJob has 43,200 minutes: instants of the same quarter of an hour as the last one are not formatted.
 */
export function localDay(timeZone: string): (at: Instant) => string {
  const clock = localClock(timeZone);
  let known: { readonly quarter: number; readonly name: string } | undefined;
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MILLIS);
    if (known?.quarter === quarter) return known.name;
    const { year, month, day } = clock(at);
    const name = [String(year).padStart(4, "0"), ...[month, day].map((part) => String(part).padStart(2, "0"))].join(
      "-",
    );
    known = { quarter, name };
    return name;
  };
}

/** Whether a time zone of this name exists. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}
