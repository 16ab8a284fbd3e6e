import type { CoveredBucket } from "./coverage.ts";
import { bucketText } from "./bucket.ts";
import { plural } from "../text/plural.ts";
import { type Captioned, lastComparable, levelStepText, usualLevel } from "./captions.ts";
import { type Captured, type PictureData, valueText } from "./picture-data.ts";

/** What durations are compared with: the baseline of one series, in seconds. */
export interface Baseline {
  readonly runs: number;
  readonly p50: number;
  readonly p90: number;
}

export interface Percentiled {
  /** The percentiles of a bucket in seconds. */
  readonly of: (bucket: CoveredBucket) => { readonly p50: number; readonly p90: number } | undefined;
  /** What Jobs did for so long: "took". */
  readonly did: string;
  /** The caption without any value. */
  readonly none: string;
  /** @default the median of the buckets before */
  readonly baseline?: Baseline | undefined;
}

/** Lines of p50 and p90. */
export function percentilesOf(pictured: Captioned, { of, baseline, ...words }: Percentiled): Captured {
  const { unit, buckets } = pictured;
  const found = buckets.map(of);
  const [p50, p90] = [found.map((one) => one?.p50), found.map((one) => one?.p90)];
  return {
    caption: captionOf(pictured, { p50, p90, ...words }),
    data: {
      form: "lines",
      measure: "seconds",
      unit,
      buckets,
      series: [
        { look: "middle", name: "p50", values: p50 },
        { look: "high", name: "p90", values: p90 },
      ],
      reference: baseline === undefined ? usualLevel(pictured, p50, "seconds") : bandOf(baseline),
    },
  };
}

/** A baseline counts from creation, so that it includes the time before the start. */
function bandOf({ runs, p50, p90 }: Baseline): NonNullable<PictureData["reference"]> {
  const [low, high] = [p50, p90].map((seconds) => valueText(seconds, "seconds"));
  return {
    name: `usual: ${low} to ${high} from creation (last ${plural(runs, "successful run")})`,
    from: p50,
    to: p90,
  };
}

interface Found extends Pick<Percentiled, "did" | "none"> {
  readonly p50: readonly (number | undefined)[];
  readonly p90: readonly (number | undefined)[];
}

function captionOf(pictured: Captioned, { p50, p90, did, none }: Found): string {
  const { unit, buckets } = pictured;
  const last = lastComparable(pictured, p50) ?? p50.findLastIndex((value) => value !== undefined);
  const [at, middle, high] = [buckets[last]?.at, p50[last], p90[last]];
  if (at === undefined || middle === undefined || high === undefined) return none;
  const [half, most] = [valueText(middle, "seconds"), valueText(high, "seconds")];
  const now = `On ${bucketText(at, unit)}, half of the Jobs ${did} at most ${half}, nine in ten at most ${most}.`;
  return `${now}${levelStepText(pictured, "The median has", p50)}`;
}
