import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { subjectOfRow } from "../../src/notify/subject-of-row.ts";
import { storesWithFacts } from "../support/stores/stores-with-facts.ts";
import { clusterOf } from "../support/story/listed-job.ts";
import { dagsterJob, failedTrainJob, restartedJobSet } from "../support/story/run-story.ts";
import { Story } from "../support/story/story.ts";

const cluster = clusterOf("east");

/** What the rows of Jobs and of runs send, as `Kind/name`. */
async function subjectsOf(facts: readonly Fact[], namespace: string) {
  const { projections } = await storesWithFacts(facts);
  const page = { limit: 10 };
  const { rows: jobs } = await projections.open("A").list({ cluster, namespace }, page);
  const { rows: runs } = await projections.runs("A").list({ cluster, namespace }, page);
  const keyOf = ({ jobUid }: (typeof jobs)[number]) => ({ cluster, jobUid });
  return {
    jobs: jobs.map((row) => subjectOfRow({ key: keyOf(row) }, row)),
    runs: runs.map((row) => subjectOfRow({ key: keyOf(row), isRun: true }, row)),
  };
}

describe("what a row is about", () => {
  it("is the run for a JobSet, of which no Job sends a message", async () => {
    const { jobs, runs } = await subjectsOf(restartedJobSet(), "ml");
    expect(jobs).toEqual([undefined, undefined, undefined, undefined]);
    expect(runs).toMatchObject([{ kind: "Run", runKind: "JobSet", name: "train", uid: "train-uid" }]);
  });

  it("is the TrainJob for its JobSet, with the end that it reports, once", async () => {
    const { runs } = await subjectsOf(failedTrainJob(), "ml");
    expect(runs.filter((subject) => subject !== undefined)).toMatchObject([
      { kind: "Run", runKind: "TrainJob", name: "fit", state: "Failed", reason: "DeadlineExceeded", final: true },
    ]);
  });

  it("is the Job where only names say what it belongs to", async () => {
    const { jobs, runs } = await subjectsOf(dagsterJob("5f1a"), "data");
    expect(jobs).toMatchObject([{ kind: "Job" }]);
    expect(runs).toEqual([undefined]);
  });

  it("is the Job of a CronJob: it is a run of its own", async () => {
    const story = new Story("report-1");
    story.jobCreated({}, { namespace: "ml", owner: { kind: "CronJob", name: "report", uid: "report-uid" } });
    const { jobs, runs } = await subjectsOf(story.facts, "ml");
    expect(jobs).toMatchObject([{ kind: "Job", owner: { kind: "CronJob", name: "report" } }]);
    expect(runs).toEqual([]);
  });
});
