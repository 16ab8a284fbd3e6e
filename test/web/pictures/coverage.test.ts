import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterAnswer } from "../../../src/query/clusters/clusters.ts";
import { type Coverage, coverageText, coveredBuckets } from "../../../web/pictures/coverage.ts";

const NOW = Date.parse("2026-11-21T12:30:00Z");
const at = (time: string) => `2026-11-21T${time}:00Z`;
/** The hours from 08:00 to 12:00; the last is not over. */
const HOURS = { from: Date.parse(at("08:00")), to: Date.parse(at("13:00")), unit: "hour" } as const;

function cluster(name: string, observedAt: string | undefined, isImported = false): ClusterAnswer {
  return {
    name,
    namespaces: [],
    ...(observedAt !== undefined && { observedAt }),
    ...(!isImported && { kubeSystemUid: "uid" }),
  };
}

function gap(from: string, to: string, of = "east") {
  return { cluster: of, from: at(from), to: at(to), resources: ["jobs"], reason: "watch closed" };
}

type Given = Partial<Parameters<typeof coveredBuckets>[1] & Parameters<typeof coveredBuckets>[2]>;

function covered(given: Given): readonly Coverage[] {
  const { hasJobs = () => false, readSince, ...observed } = given;
  const clusters = [cluster("east", at("12:30"))];
  const known = { clusters, gaps: [], hasEarlier: true, now: NOW, ...observed };
  return coveredBuckets(HOURS, known, { hasJobs, readSince }).map(({ coverage }) => coverage);
}

const instant = (minutes: number) => new Date(Date.parse(at("07:00")) + minutes * 60_000).toISOString();
const jobsAt = (time: string) => (bucket: { readonly at: number }) => bucket.at === Date.parse(at(time));
const textsWithGap = (clusters: readonly ClusterAnswer[]) =>
  covered({ clusters, gaps: [gap("09:10", "09:22")] }).map(coverageText);
const observed = (given: Given) => covered(given).map(shortText);

const shortText = (coverage: Coverage) => (coverage.kind === "unobserved" ? coverage.cause : coverage.kind);

describe("the coverage of an hour", () => {
  it("is complete while the cluster reports", () => {
    expect(observed({})).toEqual(["observed", "observed", "observed", "observed", "observed"]);
  });

  it.each<readonly [string, Given, readonly string[]]>([
    [
      "a gap within an hour leaves it partly observed",
      { gaps: [gap("09:10", "09:20")] },
      ["observed", "partly", "observed", "observed", "observed"],
    ],
    [
      "a gap over several hours hides those that it covers",
      { gaps: [gap("08:30", "11:00")] },
      ["partly", "gap", "gap", "observed", "observed"],
    ],
    [
      "overlapping gaps count once, and touching gaps add up",
      { gaps: [gap("09:00", "09:40"), gap("09:20", "10:00"), gap("11:10", "11:20"), gap("11:15", "11:30")] },
      ["observed", "gap", "observed", "partly", "observed"],
    ],
    [
      "after its last data, a cluster is silent",
      { clusters: [cluster("east", at("10:15"))] },
      ["observed", "observed", "partly", "silent", "silent"],
    ],
    [
      "an imported cluster ends with its recording",
      { clusters: [cluster("east", at("09:00"), true)] },
      ["observed", "over", "over", "over", "over"],
    ],
    [
      "beside an imported cluster that has ended, the others are observed",
      { clusters: [cluster("east", at("09:00"), true), cluster("west", at("12:30"))] },
      Array(5).fill("observed"),
    ],
    [
      "a gap in an imported recording leaves the hour partly observed",
      {
        clusters: [cluster("east", at("11:00"), true), cluster("west", at("12:30"))],
        gaps: [gap("09:10", "09:20")],
      },
      ["observed", "partly", "observed", "observed", "observed"],
    ],
    ["a cluster without data was never observed", { clusters: [cluster("east", undefined)] }, Array(5).fill("over")],
    [
      "what an answer did not read is not drawn",
      { readSince: Date.parse(at("09:00")), hasEarlier: false },
      ["unread", "observed", "observed", "observed", "observed"],
    ],
    [
      "an hour is not observed only if no cluster was",
      {
        clusters: [cluster("east", at("12:30")), cluster("west", at("09:00"))],
        gaps: [gap("09:00", "11:00")],
      },
      ["observed", "silent", "silent", "partly", "partly"],
    ],
    ["gaps of other clusters do not count", { gaps: [gap("08:00", "12:00", "west")] }, Array(5).fill("observed")],
    ["without clusters, nothing was observed", { clusters: [] }, Array(5).fill("before")],
  ])("%s", (_, observation, expected) => {
    expect(observed(observation)).toEqual(expected);
  });

  it("says how long and how many clusters were not observed", () => {
    const clusters = [cluster("east", at("12:30")), cluster("west", at("12:30"))];
    expect(textsWithGap(clusters)[1]).toBe("1 of 2 clusters not observed for up to 12m");
    expect(textsWithGap(clusters.slice(0, 1))[1]).toBe("not observed for 12m");
    expect(textsWithGap(clusters)[0]).toBeUndefined();
  });

  it("never grows with another gap", () => {
    const minutes = fc.integer({ min: 0, max: 330 });
    const gaps = fc.array(
      fc.tuple(minutes, minutes).map(([a, b]) => ({
        ...gap("07:00", "07:00"),
        from: instant(Math.min(a, b)),
        to: instant(Math.max(a, b)),
      })),
      { maxLength: 6 },
    );
    const rank = { observed: 2, partly: 1, unobserved: 0 };
    fc.assert(
      fc.property(gaps, gaps, (some, more) => {
        const ranks = (all: typeof some) => covered({ gaps: all }).map(({ kind }) => rank[kind]);
        const before = ranks(some);
        expect(ranks([...some, ...more]).every((after, hour) => after <= (before[hour] ?? 0))).toBe(true);
      }),
    );
  });
});

describe("where knowledge begins", () => {
  const known = { hasJobs: jobsAt("10:00"), hasEarlier: false };

  it.each<readonly [string, Given, readonly string[]]>([
    ["at the first hour with a Job", known, ["before", "before", "observed", "observed", "observed"]],
    [
      "at an earlier gap, which only a watched cluster has",
      { ...known, gaps: [gap("09:10", "09:20")] },
      ["before", "partly", "observed", "observed", "observed"],
    ],
    ["nowhere if the first hour has a Job", { ...known, hasJobs: jobsAt("08:00") }, Array(5).fill("observed")],
    ["nowhere if a gap began before", { ...known, gaps: [gap("07:10", "07:20")] }, Array(5).fill("observed")],
    ["nowhere if earlier Jobs are stored", { ...known, hasEarlier: true }, Array(5).fill("observed")],
    ["never if there is nothing", { ...known, hasJobs: () => false }, Array(5).fill("before")],
  ])("is %s", (_, given, expected) => {
    expect(observed(given)).toEqual(expected);
  });
});
