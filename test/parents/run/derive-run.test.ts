import { describe, expect, it } from "vitest";
import { deriveRun, ownersAbove, type RunSource } from "../../../src/parents/run/derive-run.ts";
import type { RunJob } from "../../../src/parents/run/run-job.ts";
import { isTrue, parentDeleted, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const job = (said: Partial<RunJob> = {}): RunJob => ({
  uid: "job-1",
  name: "train-worker-0",
  createdAt: 1_000,
  state: "Running",
  ...said,
});
const launcher = (): RunJob => job({ uid: "l", name: "l", isLauncher: true, state: "Complete", finishedAt: 5_000 });
const running: RunJob = { uid: "third", name: "l", isLauncher: true, createdAt: 7_000, state: "Running" };
const observed = parentOf([parentObserved()]);
const completed = parentObserved({
  at: 9_000,
  conditions: [isTrue("Completed", 9_000, { reason: "AllJobsCompleted" })],
});
const suspended = parentObserved({ at: 9_000, conditions: [isTrue("Suspended", 9_000)] });
const workload = parentOf([parentObserved({ of: "Workload", uid: "w-1", fields: { queueName: "main" } })]);

describe("the verdict about a run", () => {
  it.each<readonly [string, RunSource, object]>([
    ["is Pending before a container started", { parent: observed, jobs: [job()] }, { state: "Pending", final: false }],
    [
      "is that of its parent alone without a Job",
      { parent: observed, jobs: [] },
      { state: "Pending", basis: "reported" },
    ],
    [
      "is Running if a Job counts Pods that were not observed",
      { parent: observed, jobs: [job({ hasStarted: true })] },
      { state: "Running" },
    ],
    ["is Running afterwards", { parent: observed, jobs: [job({ startedAt: 2_000 })] }, { state: "Running" }],
    [
      "is Queued while its Workload waits",
      { parent: observed, workloads: [workload], jobs: [] },
      { state: "Queued", since: 0 },
    ],
    ["is Suspended if its parent says so", { parent: parentOf([suspended]), jobs: [] }, { state: "Suspended" }],
    [
      "is Complete and final when its parent says so",
      { parent: parentOf([completed]), jobs: [job({ state: "Complete" })] },
      { state: "Complete", reason: "AllJobsCompleted", final: true, basis: "both", since: 9_000 },
    ],
    [
      "says that only the parent reported it, where its Jobs show something else",
      { parent: parentOf([completed]), jobs: [job({ state: "Failed" })] },
      { state: "Complete", basis: "reported" },
    ],
    [
      "stays Complete after its parent was deleted",
      { parent: parentOf([completed, parentDeleted(20_000)]), jobs: [] },
      { state: "Complete", final: true },
    ],
    [
      "is Deleted if its parent was deleted before",
      { parent: parentOf([parentObserved(), parentDeleted(20_000)]), jobs: [job()] },
      { state: "Deleted", final: true, since: 20_000 },
    ],
    [
      "is never final without a watched parent, because it may gain a Job",
      { jobs: [job({ state: "Complete" })] },
      { state: "Complete", final: false, basis: "observed" },
    ],
    [
      "is Failed by one Job",
      { jobs: [job({ state: "Failed" }), job({ name: "b", state: "Complete" })] },
      { state: "Failed" },
    ],
    ["is Running by one Job", { jobs: [job(), job({ name: "b", state: "Failed" })] }, { state: "Running" }],
    [
      "is that of the Job which took the place of one with its name",
      { jobs: [job({ state: "Failed" }), job({ uid: "job-2", createdAt: 2_000, state: "Complete" })] },
      { state: "Complete" },
    ],
    [
      "is that of the last try of each work, whatever their order and names",
      {
        jobs: [
          job({ uid: "3", name: "c", createdAt: 3_000, state: "Complete", workTry: { work: "load", number: 2 } }),
          job({ uid: "1", name: "a", createdAt: 4_000, state: "Failed", workTry: { work: "load", number: 1 } }),
          job({ uid: "2", name: "b", state: "Complete", workTry: { work: "read", number: 1 } }),
        ],
      },
      { state: "Complete" },
    ],
    [
      "is Failed by the last try",
      {
        jobs: [
          job({ state: "Complete", workTry: { work: "load", number: 1 } }),
          job({ uid: "2", name: "b", state: "Failed", workTry: { work: "load", number: 2 } }),
        ],
      },
      { state: "Failed" },
    ],
    ["is Suspended by its Jobs", { jobs: [job({ state: "Suspended" })] }, { state: "Suspended" }],
    ["is Unknown without anything", { jobs: [] }, { state: "Unknown", final: false }],
    [
      "is that of its launcher, whose end is that of the run",
      { jobs: [launcher(), job()] },
      { state: "Complete", final: true, basis: "observed", since: 5_000 },
    ],
    [
      "is that of its last launcher, which has not ended",
      { jobs: [job({ ...launcher(), uid: "again", createdAt: 6_000, finishedAt: 9_000 }), running, launcher()] },
      { state: "Running", final: false },
    ],
    [
      "is final by a failed launcher",
      { jobs: [launcher(), { ...launcher(), uid: "again", createdAt: 6_000, state: "Failed", finishedAt: 8_000 }] },
      { state: "Failed", final: true, basis: "observed", since: 8_000 },
    ],
    [
      "is not final by a launcher that was deleted",
      { jobs: [{ ...launcher(), state: "Deleted" }] },
      { state: "Unknown", final: false },
    ],
    ["is that of its parent in spite of a launcher", { parent: observed, jobs: [launcher()] }, { final: false }],
  ])("%s", (_, source, verdict) => {
    expect(deriveRun(source).verdict).toMatchObject(verdict);
  });

  it("by a launcher has the time at which it ended, and the state of the attempt", () => {
    expect(deriveRun({ jobs: [launcher()] })).toMatchObject({
      finishedAt: 5_000,
      attempts: [{ state: "Complete", endedAt: 5_000 }],
    });
  });

  it("has the times of its Jobs and of its parent", () => {
    const parent = parentOf([completed, parentDeleted(20_000)]);
    const jobs = [job({ startedAt: 5_000 }), job({ uid: "job-2", startedAt: 4_000 })];
    expect(deriveRun({ parent, jobs })).toMatchObject({ startedAt: 4_000, finishedAt: 9_000, deletedAt: 20_000 });
  });
});

describe("a run with very many Jobs", () => {
  const jobs = Array.from({ length: 200_000 }, (_, index) => job({ uid: `job-${index}`, startedAt: 9_000 - index }));

  it("has started with the first of them", () => {
    expect(deriveRun({ jobs }).startedAt).toBe(9_000 - 199_999);
  });
});

describe("the owners above an object", () => {
  const owner = { kind: "TrainJob", name: "train", uid: "t-1" };
  const above = { kind: "Pipeline", name: "daily", uid: "p-1" };

  it("are followed as far as they were observed", () => {
    const parents = new Map([["t-1", parentOf([parentObserved({ of: "TrainJob", uid: "t-1", owner: above })])]]);
    expect(ownersAbove(owner, parents)).toEqual([owner, above]);
    expect(ownersAbove(undefined, parents)).toEqual([]);
  });

  it("end, although facts claim a cycle", () => {
    const parents = new Map([["t-1", parentOf([parentObserved({ of: "TrainJob", uid: "t-1", owner })])]]);
    expect(ownersAbove(owner, parents)).toEqual([owner]);
  });
});
