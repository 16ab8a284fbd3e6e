import type { CronDay } from "../../src/query/cron-jobs/cron-days.ts";
import { plural } from "../text/plural.ts";

/**
 * The result of a day, for its colour and border. `both`: runs failed and runs were missed. `unobserved`: due times
 * were not observed, and nothing else went wrong. `none`: nothing ran, and nothing was due before now.
 */
export type DayTone = "none" | "good" | "failed" | "missed" | "both" | "unobserved";

export function toneOf({ runs, failed, missed, unknown }: CronDay): DayTone {
  if (failed > 0) return missed > 0 ? "both" : "failed";
  if (missed > 0) return "missed";
  if (unknown > 0) return "unobserved";
  return runs > 0 ? "good" : "none";
}

/** The text of a cell: `24`, `22 ✕2`, `0 !24`, `20 ?4`. */
export function cellText({ runs, failed, missed, unknown }: CronDay): string {
  const marks = [failed > 0 ? `✕${failed}` : "", missed > 0 ? `!${missed}` : "", unknown > 0 ? `?${unknown}` : ""];
  return [`${runs}`, ...marks].filter((part) => part !== "").join(" ");
}

/** The same for screen readers. */
export function dayText({ day, runs, complete, failed, missed, skipped, unknown }: CronDay): string {
  const open = runs - complete - failed;
  const parts = [
    plural(runs, "run"),
    complete > 0 ? `${complete} complete` : "",
    failed > 0 ? `${failed} failed` : "",
    open > 0 ? `${open} not finished` : "",
    missed > 0 ? `${missed} missed` : "",
    skipped > 0 ? `${skipped} skipped` : "",
    unknown > 0 ? `${unknown} not observed` : "",
  ];
  return `${day}: ${parts.filter((part) => part !== "").join(", ")}`;
}

/** The last `count` calendar days up to `until`: YYYY-MM-DD. */
export function calendarOf(until: string, count: number): readonly string[] {
  const last = Date.parse(`${until}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}
