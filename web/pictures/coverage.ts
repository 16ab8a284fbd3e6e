import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { freshnessOf } from "../clusters/cluster-freshness.ts";
import { millisOf } from "../text/instant-text.ts";
import { spanText } from "../text/span-text.ts";
import { plural } from "../text/plural.ts";
import { type Bucket, bucketsOf, type TimeRange } from "./bucket.ts";

type Cause = "gap" | "silent" | "over" | "before" | "unread";

/** Whether the clusters of a picture were observed in an hour or a day. */
export type Coverage =
  | { readonly kind: "observed" }
  /** `millis`: the longest time that one of the clusters was not observed. */
  | { readonly kind: "partly"; readonly clusters: number; readonly of: number; readonly millis: number }
  | { readonly kind: "unobserved"; readonly cause: Cause };

/** What is known about the observation of some clusters. */
interface Observation {
  readonly clusters: readonly ClusterAnswer[];
  readonly gaps: readonly ClusterGap[];
  /** Nothing is known of the time before it. `undefined`: earlier data is stored. */
  readonly begin: Begin | undefined;
  readonly now: number;
}

/** `before`: no earlier Job is stored. `unread`: the answer did not read earlier Jobs. */
interface Begin {
  readonly at: number;
  readonly cause: "before" | "unread";
}

/** What was observed in each bucket, as far as it has begun. Without a cluster, nothing was. */
function coverageOf(buckets: readonly Bucket[], observation: Observation): readonly Coverage[] {
  const blind = observation.clusters.map((cluster) => blindTimes(cluster, observation));
  return buckets.map((bucket) => coverageIn(bucket, blind, observation.now));
}

interface BlindTime {
  readonly from: number;
  readonly to: number;
  readonly cause: Cause;
}

/** Why nothing follows the last data of a cluster. An imported recording is complete there. */
const END_CAUSES = { fresh: undefined, notReporting: "silent", notWatched: "over" } as const;

/** The times in which a cluster was not observed; they may overlap. */
function blindTimes(cluster: ClusterAnswer, { gaps, begin, now }: Observation): readonly BlindTime[] {
  const heardAt = millisOf(cluster.observedAt) ?? -Infinity;
  const end = END_CAUSES[freshnessOf(cluster, now).kind];
  return [
    ...(begin === undefined ? [] : [{ from: -Infinity, to: begin.at, cause: begin.cause }]),
    ...(end === undefined ? [] : [{ from: heardAt, to: Infinity, cause: end }]),
    ...gaps
      .filter((gap) => gap.cluster === cluster.name)
      .map(({ from, to }) => ({
        from: millisOf(from) ?? -Infinity,
        to: millisOf(to) ?? Infinity,
        cause: "gap" as const,
      })),
  ];
}

function coverageIn({ at, end }: Bucket, blind: readonly (readonly BlindTime[])[], now: number): Coverage {
  const until = Math.min(end, now);
  const isHidden = blind.every((times) => millisIn(times, at, until) >= until - at);
  if (isHidden) return { kind: "unobserved", cause: causeIn(blind, at, until) };
  const lost = blind.map((times) => millisIn(times.filter(isLoss), at, until));
  const affected = lost.filter((millis) => millis > 0).length;
  if (affected === 0) return { kind: "observed" };
  return { kind: "partly", clusters: affected, of: blind.length, millis: Math.max(...lost) };
}

/** Whether data is missing among other clusters' data. A recording that has ended leaves none out. */
function isLoss({ cause }: BlindTime): boolean {
  return cause !== "over";
}

/** How much of an interval some times cover. */
function millisIn(times: readonly BlindTime[], from: number, to: number): number {
  let covered = 0;
  let reached = from;
  for (const time of times.toSorted((a, b) => a.from - b.from)) {
    const begin = Math.max(time.from, reached);
    const end = Math.min(time.to, to);
    if (end <= begin) continue;
    covered += end - begin;
    reached = end;
  }
  return covered;
}

/** The cause that covers most of the interval. */
function causeIn(blind: readonly (readonly BlindTime[])[], from: number, to: number): Cause {
  const all = blind.flat();
  if (all.length === 0) return "before";
  const of = (cause: Cause): number =>
    millisIn(
      all.filter((time) => time.cause === cause),
      from,
      to,
    );
  return (["before", "unread", "silent", "over", "gap"] as const).reduce((most, cause) =>
    of(cause) > of(most) ? cause : most,
  );
}

/** The coverage in words; `undefined` where everything was observed. */
export function coverageText(coverage: Coverage): string | undefined {
  switch (coverage.kind) {
    case "observed":
      return undefined;
    case "partly": {
      const { clusters, of, millis } = coverage;
      const who = of === 1 ? "" : `${clusters} of ${plural(of, "cluster")} `;
      return `${who}not observed for ${of === 1 ? "" : "up to "}${spanText(millis)}`;
    }
    case "unobserved":
      return CAUSES[coverage.cause];
  }
}

const CAUSES: Readonly<Record<Cause, string>> = {
  gap: "not observed: a monitoring gap",
  silent: "not observed: no data since",
  over: "not observed: no later data was imported",
  before: "not observed: before the first stored Job",
  unread: "not read: there are too many Jobs",
};

/** What is known about the clusters of some pictures. */
export interface Observed extends Pick<Observation, "clusters" | "gaps" | "now"> {
  /** Whether Jobs are stored that were created before the first bucket. */
  readonly hasEarlier: boolean;
}

/** What one answer covers. */
interface Answered {
  readonly hasJobs: (bucket: Bucket) => boolean;
  /** The answer did not read Jobs before it. */
  readonly readSince: number | undefined;
}

/** The hours or days of a range that have begun, with what was observed in them. */
export function coveredBuckets(range: TimeRange, observed: Observed, answered: Answered): readonly CoveredBucket[] {
  const buckets = bucketsOf(range, observed.now);
  const coverage = coverageOf(buckets, { ...observed, begin: beginOf(buckets, observed, answered) });
  return buckets.flatMap((bucket, index) => {
    const known = coverage[index];
    return known === undefined ? [] : [{ ...bucket, coverage: known }];
  });
}

/** One hour or day, and what was observed in it. */
export interface CoveredBucket extends Bucket {
  readonly coverage: Coverage;
}

/**
 * Where knowledge begins: at the first bucket with a Job, or an earlier gap. A gap is only recorded of a cluster that
 * was watched before it. `undefined` if nothing is missing at the beginning, or if earlier Jobs are stored.
 */
function beginOf(
  buckets: readonly Bucket[],
  { gaps, hasEarlier }: Observed,
  { hasJobs, readSince }: Answered,
): Begin | undefined {
  if (readSince !== undefined) return { at: readSince, cause: "unread" };
  const [first] = buckets;
  if (first === undefined || hasEarlier) return undefined;
  const firstJob = buckets.find(hasJobs)?.at ?? Infinity;
  const firstGap = Math.min(...gaps.map(({ from }) => millisOf(from) ?? Infinity));
  const at = Math.min(firstJob, firstGap);
  return at <= first.at ? undefined : { at, cause: "before" };
}
