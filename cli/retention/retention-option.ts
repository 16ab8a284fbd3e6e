import { ARCHIVE_LAG_MS } from "../../src/archive/layout/archive-hour.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

const HOURS_PER_DAY = 24;

const FORM = "Write a whole number of days, such as 30, or of hours, such as 36h.";

/** A retention in days: `30`, or `36h`. Throws CommandFailure. */
export function parseRetention(text: string): number {
  const [, number, unit] = /^([1-9]\d{0,4})([dh]?)$/.exec(text) ?? [];
  if (number === undefined) throw new CommandFailure(2, FORM);
  return unit === "h" ? Number(number) / HOURS_PER_DAY : Number(number);
}

/** Throws CommandFailure where Jobs would expire before an archive can have them. */
export function requireRetentionAfterArchive({
  retention,
  archive,
}: {
  readonly retention?: number;
  readonly archive?: string;
}): void {
  const lagHours = ARCHIVE_LAG_MS / 3_600_000;
  if (archive === undefined || retention === undefined || retention * HOURS_PER_DAY >= lagHours) return;
  throw new CommandFailure(
    2,
    `A retention of ${Math.round(retention * HOURS_PER_DAY)}h is shorter than the lag of the archive (${lagHours}h): ` +
      `Jobs would expire before they are archived. Set --retention to at least ${lagHours}h.`,
  );
}
