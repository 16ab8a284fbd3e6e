import { afterEach, describe, expect, it } from "vitest";
import { runContribution, storedRunContribution } from "../../../src/count/metrics/run-contribution.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { MetricStage } from "../../support/aws/metric-stage.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MeteredTrackers, scrape, tell, total } from "../../support/stores/metered-tracker.ts";
import { dagsterJob, failedTrainJob, queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";

const FAMILY = "outlive_runs_finished_total";
const labels = 'cluster="east",namespace="ml",kind="JobSet",owner_kind="<none>",owner="<none>"';
const complete = { [`${FAMILY}{${labels},state="Complete",reason="AllJobsCompleted"}`]: 1 };

/** A JobSet that is complete, one that waits, and a run that only ids of its Jobs describe. */
function stories(): readonly Fact[] {
  return [...restartedJobSet(), ...queuedJobSet(), ...dagsterJob("5f1a")];
}

function finished(shown: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => name.startsWith(FAMILY)));
}

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

const failed = {
  cluster: "east",
  namespace: "ml",
  kind: "JobSet",
  verdict: { state: "Failed", reason: "FailedJobs", final: true, basis: "both" },
  asOf: { time: "2026-01-01T00:00:00Z" },
} as const;

describe("what a run adds to the metrics", () => {
  it("is one finished run of its kind and series, whose own name is no label", () => {
    const { amounts } = runContribution({ ...failed, series: { kind: "CronJob", name: "nightly" } });
    expect(amounts.map(({ series, amount }) => [series.labels, amount])).toEqual([
      [
        {
          cluster: "east",
          namespace: "ml",
          kind: "JobSet",
          owner_kind: "CronJob",
          owner: "nightly",
          state: "Failed",
          reason: "FailedJobs",
        },
        1,
      ],
    ]);
  });

  it("is nothing while the run is not final", () => {
    const verdict = { state: "Complete", final: false, basis: "observed" } as const;
    expect(runContribution({ ...failed, verdict }).amounts).toEqual([]);
  });

  it("is unknown for a stored run that cannot be read, or has no row", () => {
    const key = { cluster: clusterNamed("east"), jobUid: jobUid("js-1") };
    const row = { namespace: "ml", name: "a", createdAt: 0, phase: "F" as const, attention: false };
    expect(storedRunContribution(key, { row: { ...row, summary: Uint8Array.of(1, 2) } })).toBeUndefined();
    expect(storedRunContribution(key, {})).toBeUndefined();
  });
});

describe("finished runs of a database file", () => {
  it("are counted once, however often and in whatever order their facts arrive", async () => {
    const embedded = trackers.open();
    await tell(embedded, stories());
    expect(finished(await scrape(embedded))).toEqual(complete);
    await tell(embedded, stories().toReversed());
    expect(finished(await scrape(embedded))).toEqual(complete);
  });

  it("stay counted after a replay, and after their expiry", async () => {
    const embedded = trackers.open();
    await tell(embedded, stories());
    await embedded.replay();
    expect(finished(await scrape(embedded))).toEqual(complete);
    const afterYears = Date.parse("2030-01-01T00:00:00Z");
    await embedded.forget({ days: 30, now: afterYears });
    expect(
      await embedded.projections.runs("B").read({ cluster: clusterNamed("east"), jobUid: jobUid("train-uid") }),
    ).toBe(undefined);
    expect(finished(await scrape(embedded))).toEqual(complete);
  });
});

describe("the finished run of a TrainJob", () => {
  const failedOnce = {
    [`${FAMILY}{${labels.replace("JobSet", "TrainJob")},state="Failed",reason="DeadlineExceeded"}`]: 1,
  };

  it("is counted once, with the end that the TrainJob reports, in a database file", async () => {
    const embedded = trackers.open();
    for (const fact of failedTrainJob()) await tell(embedded, [fact]);
    expect(finished(await scrape(embedded))).toEqual(failedOnce);
    await embedded.replay();
    expect(finished(await scrape(embedded))).toEqual(failedOnce);
  });

  it("is counted once, with the end that the TrainJob reports, in a stage", async () => {
    const stage = await started();
    const facts = failedTrainJob();
    await stage.tell(facts.slice(0, -1));
    await stage.count();
    expect(finished(await stage.scrape())).toEqual({});
    await stage.tell(facts.slice(-1));
    await stage.count();
    expect(finished(await stage.scrape())).toEqual(failedOnce);
  });
});

const started = async () => {
  const stage = new MetricStage();
  stage.now = Date.parse("2026-01-01T00:00:00Z") - 7_200_000;
  await stage.count();
  stage.now = Date.parse("2026-01-01T00:10:00Z");
  return stage;
};

describe("finished runs of a stage", () => {
  it("are counted once, however often their writes are delivered", async () => {
    const stage = await started();
    await stage.tell(stories());
    await stage.count();
    expect(finished(await stage.scrape())).toEqual(complete);
    stage.runs.A.deliverAgain();
    await stage.tell(stories().toReversed());
    await stage.count();
    expect(finished(await stage.scrape())).toEqual(complete);
  });

  it("stay counted when they expire, and when a replay switches", async () => {
    const stage = await started();
    await stage.tell(stories());
    await stage.count();
    await stage.replay();
    for (let minute = 0; minute < 4; minute += 1) await stage.count();
    expect(finished(await stage.scrape())).toEqual(complete);
    await stage.runs.B.remove({ cluster: clusterNamed("east"), jobUid: jobUid("train-uid") });
    await stage.count();
    expect(total(await stage.scrape(), FAMILY)).toBe(1);
  });

  it("are counted once though the counting process is killed at any request", async () => {
    for (let request = 0; request < 30; request += 3) {
      const stage = await started();
      await stage.tell(stories());
      await stage.countKilled(request);
      await stage.count();
      expect(finished(await stage.scrape())).toEqual(complete);
    }
  });
});
