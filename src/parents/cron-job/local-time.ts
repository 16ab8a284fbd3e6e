import { type Instant, utcFields } from "../../job/model/instant.ts";

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

type LocalClock = (at: Instant) => LocalTime;

/** Results by name: checking a name takes as long as hundreds of due times, and the text may be arbitrary. */
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 64;
const clocks = new Map<string, LocalClock | undefined>([["UTC", utcClock]]);

/** The clock of a time zone (IANA name). Throws RangeError if it is unknown: check it with {@link isTimeZone} first. */
export function localClock(timeZone: string): LocalClock {
  return clockOf(timeZone) ?? formattingClock(timeZone);
}

/** Whether a time zone of this name exists. */
export function isTimeZone(name: string): boolean {
  return clockOf(name) !== undefined;
}

function clockOf(timeZone: string): LocalClock | undefined {
  if (clocks.has(timeZone)) return clocks.get(timeZone);
  const clock = knownClock(timeZone);
  if (clocks.size < MOST_KNOWN && timeZone.length <= LONGEST_KNOWN) clocks.set(timeZone, clock);
  return clock;
}

function knownClock(timeZone: string): LocalClock | undefined {
  try {
    return formattingClock(timeZone);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** The clock of UTC without formatting, which would take a hundred times as long. Most CronJobs name no time zone. */
function utcClock(at: Instant): LocalTime {
  const [year, month, day, weekday, hour, minute] = utcFields(at);
  return { year, month, day, weekday, hour, minute };
}

function formattingClock(timeZone: string): LocalClock {
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
