/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. Negative before 1970. */
export type Instant = number;

/** The first and last instants that RFC 3339 can represent: its years have four digits. */
export const EARLIEST: Instant = -62_167_219_200_000; // 0000-01-01T00:00:00Z
export const LATEST: Instant = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Parses an RFC 3339 time, as Kubernetes writes `metav1.Time` and `MicroTime`; `undefined` if `text` is not valid.
 * Fractions of a millisecond are truncated.
 */
export function parseInstant(text: unknown): Instant | undefined {
  if (typeof text !== "string") return undefined;
  const whole = parseWholeSeconds(text);
  if (whole !== undefined) return whole;
  if (!RFC_3339.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) || instant < EARLIEST || instant > LATEST ? undefined : instant;
}

/**
 * RFC 3339 in UTC, as Kubernetes prints it: whole seconds, with milliseconds only if they are not zero. An instant out
 * of range is written as the nearest one in range.
 */
export function formatInstant(instant: Instant): string {
  const text = new Date(Math.min(LATEST, Math.max(EARLIEST, instant))).toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}

/**
 * RFC 3339 in UTC with milliseconds, always 24 characters: these texts sort like their instants. An instant out of
 * range is written as the nearest one in range.
 */
export function formatMillis(instant: Instant): string {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, instant))).toISOString();
}

/** The calendar and the clock of UTC. January is 1, Sunday is 0. */
export function utcFields(instant: Instant): UtcFields {
  const date = new Date(instant);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return [year, month, day, date.getUTCDay(), date.getUTCHours(), date.getUTCMinutes()];
}

export type UtcFields = readonly [
  year: number,
  month: number,
  day: number,
  weekday: number,
  hour: number,
  minute: number,
];

export const HOUR_MILLIS = 3_600_000;
export const DAY_MILLIS = 24 * HOUR_MILLIS;

/** The beginning of the UTC day of an instant. */
export function dayStart(instant: Instant): Instant {
  return Math.floor(instant / DAY_MILLIS) * DAY_MILLIS;
}

/** The beginning of the UTC hour of an instant. */
export function hourOf(instant: Instant): Instant {
  return Math.floor(instant / HOUR_MILLIS) * HOUR_MILLIS;
}

/** The UTC day of an instant as keys contain it: `yyyymmdd`. */
export function utcDay(instant: Instant): string {
  return formatMillis(instant).slice(0, 10).replaceAll("-", "");
}

/** The first instant of a UTC day: the inverse of {@link utcDay}; `undefined` if `day` is not valid. */
export function dayBegin(day: string): Instant | undefined {
  return parseInstant(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

/**
 * Parses `2026-11-21T08:24:43Z`, the format of nearly every time that the API server writes. A watch event contains
 * about twelve; this is five times as fast as `Date.parse`.
 */
function parseWholeSeconds(text: string): Instant | undefined {
  if (text.length !== 20 || !hasPunctuation(text)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // The caller parses values out of range, and years below 100, which Date.UTC reads as years of the 20th century.
  const isDate = year >= 100 && isBetween(month, 1, 12) && isBetween(day, 1, 31);
  const isTime = hour <= 23 && minute <= 59 && second <= 59;
  return isDate && isTime ? Date.UTC(year, month - 1, day, hour, minute, second) : undefined;
}

function isBetween(number: number, first: number, last: number): boolean {
  return number >= first && number <= last;
}

function hasPunctuation(text: string): boolean {
  return (
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a &&
    text.charCodeAt(19) === 0x5a
  );
}

/** The number that the two digits at `at` form; NaN, which is in no range, if they are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** The first of any number of instants; `undefined` if none is known. */
export function earliestOf(instants: Iterable<Instant | undefined>): Instant | undefined {
  let first: Instant | undefined;
  for (const at of instants) if (at !== undefined && (first === undefined || at < first)) first = at;
  return first;
}
