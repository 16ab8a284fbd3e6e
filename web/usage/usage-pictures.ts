import { CLASS_WORDS } from "../../src/explain/usage/usage-text.ts";
import type { UsageClass } from "../../src/job/usage/usage.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import type { Captioned } from "../pictures/captions.ts";
import { type Captured, observedCounts, type PictureData, type Series, valueText } from "../pictures/picture-data.ts";
import { millisOf } from "../text/instant-text.ts";

/** The classes of Jobs that are over, in the order of the bars from below. */
const SHOWN = ["kept", "startUp", "cancelled", "unknown", "idle", "duplicate", "interrupted", "failed"] as const;
/** Those without a result. */
const WASTED = ["failed", "interrupted", "duplicate", "idle"] as const;
type ShownClass = (typeof SHOWN)[number] & UsageClass;

/** What Pods reserved, by the hour or day in which they reserved it. */
export interface UsageOverTime extends Captioned {
  readonly report: UsageReport;
}

/** Pod time by what became of it. */
export function usageOf(usage: UsageOverTime): Captured {
  const { total, kept } = usage.report.usage.podSeconds;
  const caption =
    total === 0
      ? "No Pod of a Job that is over reserved anything in this time."
      : `Pods reserved ${valueText(total, "seconds")} in total; ${valueText(kept / total, "share")} of it was kept.`;
  return { caption, data: barsOf(usage, SHOWN) };
}

/** Pod time without a result. `reRuns`: Pods that succeeded again, of the Jobs created in this time. */
export function wasteOf(usage: UsageOverTime, reRuns: number): Captured {
  const { podSeconds } = usage.report.usage;
  const wasted = WASTED.reduce((sum, of) => sum + podSeconds[of], 0);
  const [largest] = [...WASTED].sort((a, b) => podSeconds[b] - podSeconds[a]);
  const again = reRuns === 0 ? "" : ` Needless re-runs: ${reRuns}.`;
  const caption =
    wasted === 0 || largest === undefined
      ? `No Pod time was wasted.${again}`
      : `${valueText(wasted, "seconds")} (${valueText(wasted / podSeconds.total, "share")} of the Pod time) had no ` +
        `result, mostly ${CLASS_WORDS[largest]}.${again}`;
  return { caption, data: barsOf(usage, WASTED) };
}

/** Only classes that have any time. */
function barsOf({ report, unit, buckets }: UsageOverTime, classes: readonly ShownClass[]): PictureData {
  const byTime = new Map((report.groups ?? []).map(({ key, usage }) => [millisOf(key) ?? 0, usage.podSeconds]));
  const series = classes
    .filter((of) => report.usage.podSeconds[of] > 0)
    .map((of): Series => ({
      look: of,
      name: CLASS_WORDS[of],
      values: observedCounts(buckets, ({ at }) => byTime.get(at)?.[of]),
    }));
  return { form: "bars", measure: "seconds", unit, buckets, series };
}
