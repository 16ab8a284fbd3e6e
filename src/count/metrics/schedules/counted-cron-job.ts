import type { Instant } from "../../../job/model/instant.ts";
import type { DueRun } from "../../../parents/cron-job/due-runs.ts";
import type { CronLook } from "../../../query/cron-jobs/recent-findings.ts";

/** What one CronJob has added to the metrics. Only CronJobs with a missed run or a finding have it. */
export interface CountedCronJob {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** The number of missed runs that were due until {@link until}. It no longer changes. */
  readonly missed: number;
  /** Missed runs that were due later, by due time. Each counts once, and no longer counts if its run is found later. */
  readonly recent: readonly Instant[];
  readonly until: Instant;
  /** The most missed runs that were shown: the counter never shows less. */
  readonly shown: number;
  /** Each kind of finding that it has ever had, and whether it is open. */
  readonly kinds: readonly string[];
  readonly open: readonly string[];
  /** The labels under which it is summed because there are too many series. They never change. @default its own */
  readonly shownAs?: { readonly namespace: string; readonly cronJob: string };
}

/** How long after its due time a run that is found late still removes the missed run. */
const LATE_MS = 3 * 3_600_000;

/** The initial value, if there is no record of a CronJob. */
const NOTHING = { missed: 0, recent: [], until: -Infinity, shown: 0, kinds: [] } as const;

/**
 * Updates what a CronJob has counted from its due times in `look`. The result does not depend on how often due times
 * are considered. `undefined` while there is nothing to count. `look` must begin before the earliest of `recent`.
 */
export function countLook(
  before: CountedCronJob | undefined,
  named: Pick<CountedCronJob, "uid" | "namespace" | "name" | "shownAs">,
  { findings, due, heardAt }: CronLook & { readonly heardAt: Instant },
): CountedCronJob | undefined {
  const known = before ?? NOTHING;
  const later = due.filter(({ dueAt }) => dueAt > known.until);
  const missedAt = later.filter((one) => isMissed(one, true)).map(({ dueAt }) => dueAt);
  const open = [...new Set(findings.map(({ kind }) => kind))].sort();
  if (before === undefined && missedAt.length + open.length === 0) return undefined;
  const looked = new Set(later.map(({ dueAt }) => dueAt));
  const all = [...known.recent.filter((at) => !looked.has(at)), ...missedAt].sort((a, b) => a - b);
  const until = Math.max(known.until, Math.min(heardAt - LATE_MS, undecidedAt(later) - 1));
  const recent = all.filter((at) => at > until);
  const missed = known.missed + all.length - recent.length;
  const kinds = [...new Set([...known.kinds, ...open])].sort();
  const shown = Math.max(known.shown, missed + recent.length);
  return { ...before, ...named, missed, recent, until, shown, kinds, open };
}

function isMissed(due: DueRun, final: boolean): boolean {
  return due.outcome === "missed" && due.final === final;
}

/** The first due time that may still have a run. */
function undecidedAt(due: readonly DueRun[]): Instant {
  return due.find((one) => one.outcome === "pending" || isMissed(one, false))?.dueAt ?? Infinity;
}
