import type { Instant } from "../../job/model/instant.ts";
import type { DueRun } from "../../job/schedule/due-runs.ts";
import type { CronLook } from "../../query/cron-jobs/recent-findings.ts";

/** What one CronJob has added to the metrics. Only those with a missed run or a finding have it. */
export interface CountedCronJob {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Missed runs that were due until {@link until}: they stay counted. */
  readonly missed: number;
  /** Later ones, by when they were due. Each counts once, and no more if its run is found late. */
  readonly recent: readonly Instant[];
  readonly until: Instant;
  /** The most missed runs that were shown: the counter never shows less. */
  readonly shown: number;
  /** Each kind of finding that it ever had, and those that are open. */
  readonly kinds: readonly string[];
  readonly open: readonly string[];
  /** The labels that it is summed under, because there are too many series. They never change. @default its own */
  readonly shownAs?: { readonly namespace: string; readonly cronJob: string };
}

/** A run that is found so long after it was due is still taken back. */
const LATE_MS = 3 * 3_600_000;

/** What a CronJob has counted of which there is no record. */
const NOTHING = { missed: 0, recent: [], until: -Infinity, shown: 0, kinds: [] } as const;

/**
 * What a CronJob adds after another look at it. It depends on the due times and not on how often they are looked at.
 * `undefined` while there is nothing to count. `look` must begin before the earliest of `recent`.
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
