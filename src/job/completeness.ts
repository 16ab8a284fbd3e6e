import type { Completeness, Gap } from "./answer.ts";
import type { Surroundings } from "./cluster-record.ts";
import { indexesOf } from "./index-bag.ts";
import { intersectIndexes, countIndexes, parseIndexSet, unionIndexes } from "./index-set.ts";
import { formatInstant, type Instant } from "./instant.ts";
import type { JobObject } from "./job-record.ts";
import type { DerivedStatus } from "./status.ts";
import type { PodTally } from "./tally.ts";

/** How much of the Job's life was watched, and whether its own counters close what was not (docs/architecture.md, completeness). */
export function completenessOf(
  job: JobObject,
  tally: PodTally,
  derived: DerivedStatus,
  surroundings: Pick<Surroundings, "gaps">,
  now: Instant,
): Completeness {
  const gaps = [...recordedGaps(job, surroundings, now), ...gapBeforeFirstSight(job), ...gapsOfTruncation(job)];
  if (gaps.length === 0) return { level: "complete", gaps };
  return { level: isReconciled(job, tally, derived) ? "reconciled" : "gaps", gaps };
}

/** The cluster's gap records that overlap the Job's life: from its creation to its reported end, or to its going. */
function recordedGaps(job: JobObject, { gaps }: Pick<Surroundings, "gaps">, now: Instant): readonly Gap[] {
  const from = job.created?.createdAt ?? -Infinity;
  const to = (job.complete ?? job.failed)?.at ?? job.deleted?.at ?? job.vanished?.at ?? now;
  return gaps
    .filter((gap) => gap.from <= to && gap.to >= from && concernsJobs(gap.resources))
    .sort((a, b) => a.from - b.from || (a.gapId < b.gapId ? -1 : 1))
    .map((gap) => ({
      from: formatInstant(gap.from),
      to: formatInstant(gap.to),
      resources: gap.resources,
      reason: gap.reason,
    }));
}

/** A blind window for Nodes or CronJobs hides no Pod of a Job. */
function concernsJobs(resources: readonly string[]): boolean {
  return (
    resources.length === 0 || resources.some((resource) => /^(pods?|jobs?|\*)$/i.test(resource.split(".")[0] ?? ""))
  );
}

/** Counters above zero at first sight speak of Pods that ended before anybody here looked. */
function gapBeforeFirstSight({ firstReported, created }: JobObject): readonly Gap[] {
  if (firstReported === undefined) return [];
  const { succeeded, failed, completedIndexes, failedIndexes } = firstReported.status;
  const isFresh = (succeeded ?? 0) + (failed ?? 0) === 0 && (completedIndexes ?? "") + (failedIndexes ?? "") === "";
  if (isFresh) return [];
  return [
    {
      ...(created !== undefined && { from: formatInstant(created.createdAt) }),
      to: formatInstant(firstReported.at),
      resources: ["jobs", "pods"],
      reason: "The Job had counted Pods before it was first seen.",
    },
  ];
}

function gapsOfTruncation({ created, reported }: JobObject): readonly Gap[] {
  if (created?.truncated !== true && reported?.status.truncated !== true) return [];
  return [{ resources: ["jobs"], reason: "The Job's object was too large to be kept whole." }];
}

/** The Job's counters and lists name no Pod that the ledger lacks, and every Pod that was seen has an outcome or still lives. Untracked counters forget, so they prove nothing. */
function isReconciled({ reported }: JobObject, tally: PodTally, { tracking, totals }: DerivedStatus): boolean {
  if (tracking !== "tracked" || totals === undefined || reported === undefined) return false;
  if (tally.outcomes.Unknown > 0) return false;
  const { own } = totals;
  if (totals.failed > own.failed + tally.before.failed) return false;
  const seenIndexes = unionIndexes(indexesOf(tally.completed), indexesOf(tally.completedBefore));
  const missing =
    countIndexes(totals.completedIndexes) - countIndexes(intersectIndexes(totals.completedIndexes, seenIndexes));
  if (
    parseIndexSet(reported.status.completedIndexes ?? "", Infinity).length > 0 ||
    totals.completedIndexes.length > 0
  ) {
    return missing === 0;
  }
  return totals.succeeded <= own.succeeded + tally.before.succeeded;
}
