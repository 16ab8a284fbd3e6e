import type { CronDay } from "../../src/query/cron-jobs/cron-days.ts";
import { plural } from "../text/plural.ts";

/** The result of a day, for its colour. `none`: nothing ran, and it is not known that anything was missed. */
export type DayTone = "none" | "good" | "mixed" | "bad" | "missed";

export function toneOf({ runs, complete, failed, missed }: CronDay): DayTone {
  if (runs === 0) return missed > 0 ? "missed" : "none";
  if (failed === 0 && missed === 0) return "good";
  return complete > 0 ? "mixed" : "bad";
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
