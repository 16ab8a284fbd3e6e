import { formatMillis, type Instant } from "../../job/model/instant.ts";

/** One hour of the archive: hours since 1970-01-01T00:00:00Z. It is also the revision of the rows written for it. */
export type ArchiveHour = number;

export const HOUR_MILLIS = 3_600_000;
export const HOURS_PER_DAY = 24;

/**
 * An hour is archived this long after its end. Until then, a segment that was sealed in it can be appended without a
 * record of its arrival (src/segment/late.ts), and clocks differ.
 */
const CLOSED_AFTER_MS = 5 * 60_000;

/**
 * How long after its beginning an hour may be missing from the archive: until it closes, until the next run of the
 * archiver starts, and until that run ends. A retention shorter than this could delete nothing.
 */
export const ARCHIVE_LAG_MS = 2 * HOUR_MILLIS;

export function hourOf(instant: Instant): ArchiveHour {
  return Math.floor(instant / HOUR_MILLIS);
}

export function hourBegin(hour: ArchiveHour): Instant {
  return hour * HOUR_MILLIS;
}

/** The last hour that is closed: no segment can be added to it. */
export function lastClosedHour(now: Instant): ArchiveHour {
  return hourOf(now - CLOSED_AFTER_MS) - 1;
}

/** The last hour of the UTC day of an hour. */
export function lastOfDay(hour: ArchiveHour): ArchiveHour {
  return (Math.floor(hour / HOURS_PER_DAY) + 1) * HOURS_PER_DAY - 1;
}

/** `2026-11-21` */
export function dayText(instant: Instant): string {
  return formatMillis(instant).slice(0, 10);
}

/** `08` */
export function hourText(hour: ArchiveHour): string {
  return formatMillis(hourBegin(hour)).slice(11, 13);
}

/** `dt=2026-11-21/hour=08`, the partition of an hour. */
export function hourPath(hour: ArchiveHour): string {
  return `dt=${dayText(hourBegin(hour))}/hour=${hourText(hour)}`;
}
