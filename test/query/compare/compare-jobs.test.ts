import { describe, expect, it } from "vitest";
import type { ComparisonAnswer } from "../../../src/explain/compare/comparison-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { foldJobs } from "../../../src/job/model/job-record.ts";
import { joinSeriesRuns, seriesRunsOf } from "../../../src/projection/series/series-runs.ts";
import { compareJobs } from "../../../src/query/compare/compare-jobs.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { factsOfRuns, gapBetween, nightlyRun } from "../../support/story/compared-story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

const NOW = Date.parse("2026-03-01T00:00:00Z");

const EAST = clusterOf("east");
const RETRY = { attempts: 3, pause: async () => {} };

/** With the records of series, as counting writes them. */
async function compare(facts: readonly Fact[], name: string, other?: string) {
  const { projections, meta, log } = await storesWithFacts(facts);
  const samples = [...foldJobs(facts).values()].flatMap(({ job }) => seriesRunsOf(EAST, job));
  await joinSeriesRuns(meta, samples, RETRY);
  const wanted = { cluster: EAST, namespace: "default", name };
  return compareJobs({ jobs: projections.open("A"), meta, log }, { scope: "everything", wanted }, { other, now: NOW });
}

async function comparison(facts: readonly Fact[], name: string, other?: string): Promise<ComparisonAnswer> {
  const found = await compare(facts, name, other);
  if (found.outcome !== "compared") throw new Error(found.outcome);
  return found.comparison;
}

const failed = { ended: "Failed" } as const;
const NO_OWNER = { owner: null } as const;
const RENDER = { owner: { kind: "Workflow", name: "render", uid: "render-uid" } };

describe("a Job compared with the last good one", () => {
  it("of its series", async () => {
    const facts = factsOfRuns(
      nightlyRun(0),
      nightlyRun(1),
      nightlyRun(2, failed),
      nightlyRun(3, failed),
      nightlyRun(4),
    );
    const { before, after, chosen, answer } = await comparison(facts, "nightly-3");
    expect([before?.name, after.name, chosen]).toEqual(["nightly-1", "nightly-3", "lastGood"]);
    expect(answer).toContain("nightly-3 is Failed; nightly-1 of 2026-01-02T00:00:00Z is Complete.");
  });

  it("of its name, if it has no series and no owner", async () => {
    const same = { name: "report", ...NO_OWNER };
    const facts = factsOfRuns(
      nightlyRun(0, same),
      nightlyRun(1, { ...NO_OWNER, name: "other" }),
      nightlyRun(2, { ...same, ...failed }),
    );
    expect((await comparison(facts, "report")).before?.uid).toBe("report-uid-0");
  });

  it("of its owner, if it has no series", async () => {
    const facts = factsOfRuns(
      nightlyRun(0, { ...RENDER, name: "render-0" }),
      nightlyRun(1, { ...NO_OWNER, name: "render-1" }),
      nightlyRun(2, { ...RENDER, ...failed, name: "render-2" }),
    );
    expect((await comparison(facts, "render-2")).before?.name).toBe("render-0");
  });

  it("that lies in no gap", async () => {
    const facts = [...factsOfRuns(nightlyRun(0), nightlyRun(1), nightlyRun(2, failed)), gapBetween(86_400, 86_500)];
    expect((await comparison(facts, "nightly-2")).before?.name).toBe("nightly-0");
  });

  it("has the usual times of the series with its template", async () => {
    const runs = Array.from({ length: 12 }, (_, day) => nightlyRun(day));
    const { expected, noExpectation } = await comparison(factsOfRuns(...runs, nightlyRun(12, failed)), "nightly-12");
    expect([expected, noExpectation]).toEqual([{ runs: 12, p50: 65, p90: 65, max: 65 }, undefined]);
    const few = await comparison(factsOfRuns(nightlyRun(0), nightlyRun(1, failed)), "nightly-1");
    expect(few.noExpectation).toBe("No expectation: 1 of 10 successful runs are known.");
  });

  it.each<readonly [string, readonly Fact[], string, string]>([
    ["none completed", factsOfRuns(nightlyRun(0, failed), nightlyRun(1, failed)), "nightly-1", "noneCompleted"],
    ["it is the first", factsOfRuns(nightlyRun(0, { ...NO_OWNER, name: "a" })), "a", "noEarlierRun"],
    [
      "all lie in gaps",
      [...factsOfRuns(nightlyRun(0), nightlyRun(1, failed)), gapBetween(0, 60)],
      "nightly-1",
      "allAcrossGaps",
    ],
  ])("says why there is none if %s", async (_, facts, name, reason) => {
    const { before, noLastGood, differences } = await comparison(facts, name);
    expect([before, noLastGood?.reason, differences]).toEqual([undefined, reason, []]);
  });
});

describe("the images of two Jobs", () => {
  it("differ by container, though the reference may be the same", async () => {
    const old = { image: "a1b2c3d4e5f6", imageDigest: "111111111111" };
    const facts = factsOfRuns(nightlyRun(0, old), nightlyRun(1, { ...old, ...failed, imageDigest: "222222222222" }));
    const { differences, equal } = await comparison(facts, "nightly-1");
    expect(equal.find(({ kind }) => kind === "image")?.title).toBe("Image of container work");
    expect(differences.find(({ kind }) => kind === "imageDigest")).toMatchObject({
      key: "work",
      title: "Image digest of container work",
      before: { value: ["111111111111"] },
      after: { value: ["222222222222"] },
    });
  });

  it("are in the answer if they differ", async () => {
    const facts = factsOfRuns(nightlyRun(0, { image: "a1b2c3d4e5f6" }), nightlyRun(1, { image: "0f9e8d7c6b5a" }));
    expect((await comparison(facts, "nightly-1")).answer).toMatch(
      /Settings that differ: Image of container work 0f9e8d7c6b5a \(before: a1b2c3d4e5f6\)\.$/,
    );
  });
});

describe("a Job compared with a given one", () => {
  it("may have any name in its namespace", async () => {
    const facts = factsOfRuns(nightlyRun(0), nightlyRun(1, { ...NO_OWNER, name: "other" }));
    const { before, chosen } = await comparison(facts, "nightly-0", "other-uid-1");
    expect([before?.name, chosen]).toEqual(["other", "given"]);
  });

  it("that is itself has no difference", async () => {
    expect((await comparison(factsOfRuns(nightlyRun(0)), "nightly-0", "nightly-0-uid-0")).differences).toEqual([]);
  });

  it("that is unknown is not compared", async () => {
    const facts = factsOfRuns(nightlyRun(0));
    expect((await compare(facts, "nightly-0", "nothing")).outcome).toBe("unknownOther");
    expect((await compare(facts, "nothing")).outcome).toBe("unknownJob");
  });
});
