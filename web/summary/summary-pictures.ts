import type { CoveredBucket } from "../pictures/coverage.ts";
import type { SummaryAnswer, SummaryGroup } from "../../src/query/summary/summary.ts";
import { bucketText } from "../pictures/bucket.ts";
import { type Captioned, countStepText } from "../pictures/captions.ts";
import { type Baseline, percentilesOf } from "../pictures/percentiles-picture.ts";
import { type Captured, observedCounts, valueText } from "../pictures/picture-data.ts";
import { millisOf } from "../text/instant-text.ts";
import { number, plural } from "../text/plural.ts";

/** The Jobs of a summary, by the hour or day in which they were created. */
export interface SummaryOverTime extends Captioned {
  readonly groups: ReadonlyMap<number, SummaryGroup>;
}

export function groupsByTime({ groups = [] }: Pick<SummaryAnswer, "groups">): ReadonlyMap<number, SummaryGroup> {
  return new Map(groups.map((group) => [millisOf(group.key) ?? 0, group]));
}

/** Failed Jobs. */
export function failuresOf(summary: SummaryOverTime): Captured {
  const { unit, buckets, groups } = summary;
  const values = observedCounts(buckets, ({ at }) => groups.get(at)?.byState.Failed);
  const [failed, jobs] = [sumOf(groups, failedIn), sumOf(groups, (group) => group.jobs)];
  const caption =
    jobs === 0
      ? "No Job was created in this time."
      : `${number(failed)} of ${plural(jobs, "Job")} failed.${countStepText(summary, "Failures have", values)}`;
  return {
    caption,
    data: { form: "bars", measure: "count", unit, buckets, series: [{ look: "failed", name: "Failed Jobs", values }] },
  };
}

function failedIn({ byState }: SummaryGroup): number {
  return byState.Failed ?? 0;
}

function sumOf(groups: SummaryOverTime["groups"], valueOf: (group: SummaryGroup) => number): number {
  return [...groups.values()].reduce((sum, group) => sum + valueOf(group), 0);
}

/** The share of failed Jobs of those that have ended. */
export function failedShareOf({ unit, buckets, groups }: SummaryOverTime): Captured {
  const values = buckets.map(({ at }) => {
    const rate = groups.get(at)?.successRate;
    return rate === undefined ? undefined : 1 - rate;
  });
  return {
    caption: shareText({ unit, buckets, groups }, values),
    data: { form: "lines", measure: "share", unit, buckets, series: [{ look: "failed", name: "failed", values }] },
  };
}

function shareText({ unit, buckets, groups }: SummaryOverTime, values: readonly (number | undefined)[]): string {
  const failed = sumOf(groups, failedIn);
  const ended = failed + sumOf(groups, ({ byState }) => byState.Complete ?? 0);
  if (ended === 0) return "No Job of this time has ended.";
  const worst = values.reduce<number>((most, value, index) => ((value ?? 0) > (values[most] ?? 0) ? index : most), 0);
  const at = buckets[worst]?.at;
  const share = values[worst] ?? 0;
  const most = share > 0 && at !== undefined ? `, most on ${bucketText(at, unit)} (${valueText(share, "share")})` : "";
  return `${valueText(failed / ended, "share")} of the Jobs that ended failed${most}.`;
}

/** How long Jobs ran from start to finish. */
export function durationsOf(summary: SummaryOverTime, baseline: Baseline | undefined): Captured {
  return percentilesOf(summary, {
    of: ({ at }) => summary.groups.get(at)?.durationSeconds,
    did: "took",
    none: "No Job of this time has a known duration.",
    baseline,
  });
}

/** How long Jobs waited from their creation to the first running Pod. */
export function delaysOf(summary: SummaryOverTime): Captured {
  return percentilesOf(summary, {
    of: ({ at }) => summary.groups.get(at)?.startDelaySeconds,
    did: "waited for their first running Pod",
    none: "No Job of this time has had a running Pod.",
  });
}

/** The bucket of a Job's creation. */
export function hasJobs(groups: SummaryOverTime["groups"]): (bucket: Pick<CoveredBucket, "at">) => boolean {
  return ({ at }) => (groups.get(at)?.jobs ?? 0) > 0;
}
