import { describe, expect, it } from "vitest";
import { groupFacts, type JobGroup, RunGroups } from "../../src/projection/group-facts.ts";
import { decodeJobUid } from "../../src/job/model/ids.ts";
import { parentObserved } from "../support/facts/parent-facts.ts";
import { clusterOf } from "../support/story/listed-job.ts";
import { failedTrainJob, restartedJobSet } from "../support/story/run-story.ts";

const cluster = clusterOf("east");
const segment = (sk: string, facts = restartedJobSet()) => ({
  key: { pk: "east", sk },
  cluster,
  name: { sealedAt: 0, session: "0123456789abcdef", sequence: 0 },
  facts,
});

describe("the facts of segments", () => {
  it("are grouped by Job, and those about runs by run", () => {
    const segments = [
      segment("1"),
      segment("2", [parentObserved({ of: "Workload", uid: "w-1", runUid: "train-uid" })]),
    ];
    const jobs = groupFacts(segments).filter(({ kind }) => kind === "job");
    expect(jobs).toHaveLength(4);
    const [run, ...others] = new RunGroups(segments).all;
    expect([run?.key.jobUid, run?.facts.length, run?.segments.size, others]).toEqual(["train-uid", 4, 2, []]);
  });
});

describe("the runs of segments", () => {
  it("are in order: a TrainJob with a link is after the JobSet that it links to, which is stored by then", () => {
    const runs = new RunGroups([segment("1", failedTrainJob())]);
    const uids = runs.inOrder.map((some) => some.map(({ key }) => key.jobUid));
    expect(uids).toEqual([["train-uid"], ["fit-uid"]]);
    const alone = new RunGroups([segment("1", failedTrainJob().slice(-1))]);
    expect(alone.inOrder.map((some) => some.map(({ key }) => key.jobUid))).toEqual([["fit-uid"], []]);
  });
});

describe("a Job of a run", () => {
  const job: JobGroup = {
    kind: "job",
    key: { cluster, jobUid: decodeJobUid("a") ?? expect.fail() },
    facts: [],
    segments: new Set([segment("3")]),
  };

  it("adds its segments, so that they are projected again if the run cannot be written", () => {
    const runs = new RunGroups([]);
    runs.addJob("js-1", job);
    runs.addJob("js-1", job);
    expect(runs.all).toMatchObject([{ kind: "run", key: { jobUid: "js-1" }, jobs: new Set(["a"]) }]);
    expect(runs.all[0]?.segments.size).toBe(1);
  });

  it("whose owner has no valid uid is of no run", () => {
    const runs = new RunGroups([]);
    runs.addJob("not a uid", job);
    expect(runs.all).toEqual([]);
  });
});
