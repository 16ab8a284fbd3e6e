import { describe, expect, it, vi } from "vitest";
import { presentJob } from "../../../src/explain/present-job.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { foldJobs } from "../../../src/job/model/job-record.ts";
import { joinSeriesRuns, seriesRunsOf } from "../../../src/projection/series/series-runs.ts";
import { lastGoodJob } from "../../../src/query/compare/last-good-job.ts";
import { deriveLoaded, loadJob } from "../../../src/query/job/load-job.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { factsOfRuns, nightlyRun } from "../../support/story/compared-story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

const EAST = clusterOf("east");
const RETRY = { attempts: 3, pause: async () => {} };

interface Asked {
  /** The facts of Jobs that the record of the series knows. @default none */
  readonly recorded?: readonly Fact[];
}

async function lastGood(facts: readonly Fact[], name: string, { recorded = [] }: Asked = {}) {
  const { projections, meta, log } = await storesWithFacts(facts);
  const samples = [...foldJobs(recorded).values()].flatMap(({ job }) => seriesRunsOf(EAST, job));
  await joinSeriesRuns(meta, samples, RETRY);
  const jobs = projections.open("A");
  const list = vi.spyOn(jobs, "list");
  const ports = { jobs, meta, log };
  const loaded = await loadJob(ports, "everything", { cluster: EAST, namespace: "default", name });
  if (loaded.outcome !== "loaded") throw new Error(loaded.outcome);
  const answer = presentJob(await deriveLoaded(loaded, { now: Date.parse("2028-01-01T00:00:00Z") }), loaded);
  const last = await lastGoodJob({ ports, scope: "everything" }, { loaded, answer });
  return {
    last: last.outcome === "found" ? last.uid : last.noLastGood.reason,
    message: last,
    lists: list.mock.calls.length,
  };
}

const failedRuns = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => nightlyRun(from + index, { ended: "Failed" }));

describe("the last good Job", () => {
  it("of a series with a record is read from one place of the list, however many Jobs failed since", async () => {
    const facts = factsOfRuns(nightlyRun(0), ...failedRuns(1, 40));
    expect(await lastGood(facts, "nightly-39", { recorded: facts })).toMatchObject({
      last: "nightly-0-uid-0",
      lists: 1,
    });
  });

  it("whose state has expired is passed over", async () => {
    const recorded = factsOfRuns(nightlyRun(0), nightlyRun(1));
    const facts = factsOfRuns(nightlyRun(0), nightlyRun(2, { ended: "Failed" }));
    expect((await lastGood(facts, "nightly-2", { recorded })).last).toBe("nightly-0-uid-0");
  });

  it("of a series without a record is searched in the namespace", async () => {
    const facts = factsOfRuns(nightlyRun(0), nightlyRun(1, { ended: "Failed" }));
    expect((await lastGood(facts, "nightly-1")).last).toBe("nightly-0-uid-0");
  });

  it("is of the same series, not of another one", async () => {
    const owner = { kind: "CronJob", name: "hourly", uid: "cron-2" };
    const facts = factsOfRuns(nightlyRun(0, { name: "hourly-0", owner }), nightlyRun(1, { ended: "Failed" }));
    expect((await lastGood(facts, "nightly-1")).last).toBe("noEarlierRun");
  });

  it("is not searched beyond 500 Jobs, and says so", async () => {
    const others = Array.from({ length: 501 }, (_, day) => nightlyRun(day, { name: `other-${day}`, owner: null }));
    const facts = factsOfRuns(...others, nightlyRun(600, { ended: "Failed" }));
    expect((await lastGood(facts, "nightly-600")).message).toEqual({
      outcome: "none",
      noLastGood: {
        reason: "noEarlierRun",
        message:
          "No earlier run of CronJob nightly is known. Only the 500 Jobs of the namespace before it were searched.",
      },
    });
  });
});
