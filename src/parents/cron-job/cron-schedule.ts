import type { Instant } from "../../job/model/instant.ts";
import { isTimeZone, type LocalTime, localClock } from "./local-time.ts";

/** A `spec.schedule` as the CronJob controller parses it (github.com/robfig/cron/v3, `ParseStandard`). */
export type CronSchedule = CalendarSchedule | IntervalSchedule;

export interface CalendarSchedule {
  readonly kind: "calendar";
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** If `days` or `weekdays` is `*`, a day must be in both; otherwise it must be in one of them. */
  readonly everyDay: boolean;
  /** `TZ=` or `CRON_TZ=` before the fields. */
  readonly timeZone?: string;
}

/** `@every 1h30m`: counts from the controller's last check, so no fixed times follow from it. */
export interface IntervalSchedule {
  readonly kind: "interval";
  readonly millis: number;
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}
const MINUTES: Field = { min: 0, max: 59 };
const HOURS: Field = { min: 0, max: 23 };
const DAYS: Field = { min: 1, max: 31 };
const MONTHS: Field = {
  min: 1,
  max: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAYS: Field = { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };

const DESCRIPTORS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/**
 * Parses a schedule; `undefined` if the API server rejects it, or if its time zone is that of the controller's machine
 * (`TZ=Local`).
 */
export function parseCronSchedule(text: string): CronSchedule | undefined {
  const [, timeZone, rest = ""] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  if (rest.startsWith("@every ")) return parseInterval(rest.slice("@every ".length));
  const words = (Object.hasOwn(DESCRIPTORS, rest) ? (DESCRIPTORS[rest] ?? rest) : rest).split(/\s+/);
  return words.length === FIELDS.length ? parseCalendar(words, timeZone) : undefined;
}

const FIELDS: readonly Field[] = [MINUTES, HOURS, DAYS, MONTHS, WEEKDAYS];

function parseCalendar(words: readonly string[], timeZone: string | undefined): CronSchedule | undefined {
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) => parseField(words[at] ?? "", field));
  if (minutes === undefined || hours === undefined || days === undefined) return undefined;
  if (months === undefined || weekdays === undefined) return undefined;
  if (timeZone !== undefined && !isTimeZone(timeZone)) return undefined;
  const everyDay = isStar(words[2]) || isStar(words[4]);
  const zone = timeZone === undefined ? {} : { timeZone };
  return { kind: "calendar", minutes, hours, days, months, weekdays, everyDay, ...zone };
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 };

function parseInterval(text: string): CronSchedule | undefined {
  const parts = [...text.trim().matchAll(/(\d+)([hms])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text.trim()) return undefined;
  const millis = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
  return millis > 0 ? { kind: "interval", millis } : undefined;
}

/** A star with a step above 1 is a restriction, as a list of days is. */
function isStar(word: string | undefined): boolean {
  return /^[*?](\/1)?$/.test(word ?? "");
}

function parseField(word: string, field: Field): ReadonlySet<number> | undefined {
  const ranges = word.split(",").map((part) => parseRange(part, field));
  const known = ranges.filter((range) => range !== undefined);
  return known.length === ranges.length ? new Set(known.flat()) : undefined;
}

function parseRange(text: string, field: Field): readonly number[] | undefined {
  const [, range = "", step = "1"] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(text) ?? [];
  const [first, last] = boundsOf(range, field, text.includes("/"));
  const by = Number(step);
  const isRange = first !== undefined && last !== undefined && first >= field.min && last <= field.max && first <= last;
  if (!isRange || by === 0) return undefined;
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, index) => first + index * by);
}

/** `5/10` starts at 5 and continues to the maximum. */
function boundsOf(range: string, field: Field, hasStep: boolean): readonly (number | undefined)[] {
  if (range === "*" || range === "?") return [field.min, field.max];
  const ends = range.split("-").map((end) => numberOf(end, field));
  if (ends.length > 2) return [];
  return ends.length === 2 ? ends : [ends[0], hasStep ? field.max : ends[0]];
}

function numberOf(word: string, { min, names }: Field): number | undefined {
  const named = names?.indexOf(word.toLowerCase()) ?? -1;
  if (named >= 0) return named + min;
  return /^\d{1,2}$/.test(word) ? Number(word) : undefined;
}

/** The UTC offset of every time zone is a multiple of 15 minutes, so local minutes are contiguous within a quarter. */
const QUARTER = 900_000;
const MINUTE = 60_000;
const MINUTES_OF_QUARTER = [...Array.from({ length: QUARTER / MINUTE }).keys()];

export interface DueRange {
  /** Exclusive. */
  readonly after: Instant;
  readonly until: Instant;
  /** IANA name, as `spec.timeZone`. The schedule's own time zone overrides it; the default is UTC. */
  readonly timeZone?: string | undefined;
  readonly limit: number;
}

/** The longest span that is searched. It ends the search for a schedule that is never due, such as `0 0 30 2 *`. */
const MAX_SPAN = 400 * 86_400_000;
const HOUR = 3_600_000;
/** Time zone changes move local noon and midnight by at most two hours. */
const DAY_MARGIN_HOURS = 2;

/**
 * The times when the schedule is due, in order, within the last 400 days before `until`. An hour that a clock change
 * skips has none, and an hour that it repeats has them twice, as for the controller. An interval has no fixed times.
 *
 * Throws RangeError for an unknown time zone: check it with {@link isTimeZone} first.
 */
export function dueTimes(schedule: CronSchedule, { after, until, timeZone, limit }: DueRange): readonly Instant[] {
  if (schedule.kind === "interval") return [];
  const clock = localClock(schedule.timeZone ?? timeZone ?? "UTC");
  const due: Instant[] = [];
  const from = Math.max(after, until - MAX_SPAN);
  for (let quarter = Math.floor(from / QUARTER) * QUARTER; quarter <= until; quarter += QUARTER) {
    const local = clock(quarter);
    if (!isDueDay(schedule, local)) {
      // Skips most of the day.
      quarter += Math.max(0, 24 - DAY_MARGIN_HOURS - 1 - local.hour) * HOUR;
      continue;
    }
    if (!schedule.hours.has(local.hour)) continue;
    const inRange = dueInQuarter(schedule, quarter, local).filter((at) => at > after && at <= until);
    due.push(...inRange.slice(0, limit - due.length));
    if (due.length === limit) return due;
  }
  return due;
}

function dueInQuarter({ minutes }: CalendarSchedule, quarter: Instant, { minute }: LocalTime): readonly Instant[] {
  return MINUTES_OF_QUARTER.filter((offset) => minutes.has(minute + offset)).map((offset) => quarter + offset * MINUTE);
}

function isDueDay(schedule: CalendarSchedule, { month, day, weekday }: LocalTime): boolean {
  if (!schedule.months.has(month)) return false;
  const [byDay, byWeekday] = [schedule.days.has(day), schedule.weekdays.has(weekday)];
  return schedule.everyDay ? byDay && byWeekday : byDay || byWeekday;
}
