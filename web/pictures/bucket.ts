import { DAY_MILLIS, HOUR_MILLIS } from "../../src/job/model/instant.ts";

/** The units of pictures over time. Both are in UTC, because the API groups by them. */
export type Unit = "hour" | "day";

export const UNIT_MILLIS: Readonly<Record<Unit, number>> = { hour: HOUR_MILLIS, day: DAY_MILLIS };

/** Whole hours or days. */
export interface TimeRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly unit: Unit;
}

/** One hour or day. */
export interface Bucket {
  readonly at: number;
  readonly end: number;
  /** It is not over yet. */
  readonly isCurrent: boolean;
}

/** The hours or days of a range that have begun. */
export function bucketsOf({ from, to, unit }: TimeRange, now: number): readonly Bucket[] {
  const step = UNIT_MILLIS[unit];
  const count = Math.max(0, Math.ceil((Math.min(to, now) - from) / step));
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * step;
    return { at, end: at + step, isCurrent: at + step > now };
  });
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** The day of an instant: `21 Nov`. */
function dayText(at: number): string {
  return DAY.format(at);
}

/** An hour or a day in full: `21 Nov 08:00`. */
export function bucketText(at: number, unit: Unit): string {
  return unit === "day" ? dayText(at) : `${dayText(at)} ${hourText(at)}`;
}

/** The label of an axis: the day at midnight, otherwise the hour. */
export function axisText(at: number, unit: Unit): string {
  return unit === "day" || at % DAY_MILLIS === 0 ? dayText(at) : hourText(at);
}

function hourText(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}
