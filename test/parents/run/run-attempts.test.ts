import { describe, expect, it } from "vitest";
import { attemptsOf } from "../../../src/parents/run/run-attempts.ts";
import type { RunJob } from "../../../src/parents/run/run-job.ts";
import { isTrue, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const job = (said: Partial<RunJob> = {}): RunJob => ({
  uid: "job-1",
  name: "train-worker-0",
  attempt: 0,
  createdAt: 1_000,
  state: "Running",
  ...said,
});
const failure = { pod: "train-worker-0-x", exitCode: 3, category: "application", at: 4_000 } as const;
const restart = (at: number, restarts: number, firstFailedJob: string) =>
  parentObserved({
    at,
    fields: { restarts: String(restarts) },
    conditions: [isTrue("RestartingJobSet", at, { details: { firstFailedJob } })],
  });

const counted = (at: number, restarts: string) => parentObserved({ at, fields: { restarts } });

const triedAt = (at: number, jobId: string, jobStatus?: string) =>
  parentObserved({ of: "RayJob", at, fields: { jobId, ...(jobStatus !== undefined && { jobStatus }) } });

const tried = (uid: string, number: number, failedAt?: number): RunJob => ({
  ...job({ uid, name: uid, ...(failedAt !== undefined && { state: "Failed", failedAt }) }),
  workTry: { work: uid.slice(0, 1), number },
});
const failedFirst = (...jobs: RunJob[]) => attemptsOf(undefined, jobs, undefined)[0]?.failed?.uid;

describe("the attempts of a run", () => {
  it("have the Jobs with their number, although the names of Jobs repeat", () => {
    const jobs = [job(), job({ uid: "job-2", attempt: 1, createdAt: 6_000 })];
    const jobSet = parentOf([parentObserved({ fields: { restarts: "0" } }), restart(5_000, 1, "train-worker-0")]);
    const attempts = attemptsOf(jobSet, jobs, undefined);
    expect(
      attempts.map(({ number, startedAt, endedAt, jobs: own }) => [number, startedAt, endedAt, own[0]?.uid]),
    ).toEqual([
      [0, 0, 5_000, "job-1"],
      [1, 5_000, undefined, "job-2"],
    ]);
  });

  it("failed by the Job that the controller names, not by the one that was seen to fail first", () => {
    const jobs = [
      job({ uid: "job-1", name: "train-worker-0", failedAt: 4_000, firstFailure: failure }),
      job({ uid: "job-2", name: "train-worker-1", failedAt: 4_500 }),
    ];
    const jobSet = parentOf([parentObserved({ fields: { restarts: "0" } }), restart(5_000, 1, "train-worker-1")]);
    const [first] = attemptsOf(jobSet, jobs, undefined);
    expect([first?.state, first?.failed?.uid]).toEqual(["Failed", "job-2"]);
  });

  it("failed by the Job whose failure was reported first, if the controller names none", () => {
    const jobs = [
      job({ uid: "job-1", firstFailure: failure }),
      job({ uid: "job-2", name: "train-worker-1", failedAt: 9_000 }),
    ];
    const [only] = attemptsOf(undefined, jobs, { state: "Failed", at: 10_000 });
    expect([only?.state, only?.failed?.uid, only?.endedAt]).toEqual(["Failed", "job-2", 10_000]);
  });

  it("did not fail by a Job that failed after its run was complete and stopped it", () => {
    const jobs = [
      job({ state: "Complete" }),
      job({ uid: "job-2", state: "Deleted", failedAt: 9_500, firstFailure: { ...failure, at: 9_400 } }),
    ];
    const [only] = attemptsOf(undefined, jobs, { state: "Complete", at: 9_000 });
    expect([only?.state, only?.failed]).toEqual(["Complete", undefined]);
    const [tolerant] = attemptsOf(undefined, jobs, { state: "Complete", at: 9_400 });
    expect(tolerant?.failed?.uid).toBe("job-2");
  });

  it.each([
    ["goes on without an end", undefined, "Running"],
    ["is complete with its run", { state: "Complete", at: 9_000 }, "Complete"],
    ["was interrupted by the deletion of its run", { state: "Deleted", at: 9_000 }, "Interrupted"],
  ] as const)("%s", (_, end, state) => {
    expect(attemptsOf(undefined, [job()], end).map((attempt) => attempt.state)).toEqual([state]);
  });

  it("was interrupted if a later one began and nothing in it failed", () => {
    const jobs = [job(), job({ uid: "job-2", attempt: 1 })];
    expect(attemptsOf(undefined, jobs, undefined).map(({ state }) => state)).toEqual(["Interrupted", "Running"]);
  });

  it("ended for an unknown reason if a Job is missing that the next one has, such as an erased one", () => {
    const again = [job({ uid: "b", attempt: 1 }), job({ uid: "c", name: "train-worker-1", attempt: 1 })];
    expect(attemptsOf(undefined, [job(), ...again], undefined).map(({ state }) => state)).toEqual([
      "Unknown",
      "Running",
    ]);
    const jobSet = parentOf([counted(1_000, "0"), counted(5_000, "1")]);
    expect(attemptsOf(jobSet, again, undefined).map(({ state }) => state)).toEqual(["Unknown", "Running"]);
  });

  it("failed if the controller names a Job that failed, although that is missing", () => {
    const jobSet = parentOf([counted(1_000, "0"), restart(5_000, 1, "train-worker-1")]);
    expect(attemptsOf(jobSet, [job()], undefined).map(({ state }) => state)).toEqual(["Failed", "Running"]);
  });

  it("are those that a JobSet counts, also without a Job that was seen", () => {
    const jobSet = parentOf([restart(5_000, 1, "train-worker-0"), restart(8_000, 2, "train-worker-0")]);
    expect(attemptsOf(jobSet, [job()], undefined).map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  it("never end before they began, whatever the numbers of their Jobs", () => {
    const jobs = [
      job(),
      job({ uid: "b", attempt: 1, createdAt: 8_000 }),
      job({ uid: "c", attempt: 2, createdAt: 5_000 }),
    ];
    const ends = attemptsOf(undefined, jobs, { state: "Failed", at: 4_000 });
    expect(ends.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [1_000, 8_000],
      [8_000, 8_000],
      [5_000, 5_000],
    ]);
  });

  it("stay the same if a JobSet counts back", () => {
    const jobSet = parentOf([counted(1_000, "0"), counted(5_000, "1"), counted(9_000, "0")]);
    const attempts = attemptsOf(jobSet, [job(), job({ uid: "b", attempt: 1, createdAt: 6_000 })], undefined);
    expect(attempts.map(({ number, startedAt, endedAt }) => [number, startedAt, endedAt])).toEqual([
      [0, 0, 5_000],
      [1, 5_000, undefined],
    ]);
  });

  it.each(["x", "1.5", "-1", "true"])("are counted from 0 if the restarts of a JobSet are %j", (restarts) => {
    const attempts = attemptsOf(parentOf([parentObserved({ fields: { restarts } })]), [job()], undefined);
    expect(attempts.map(({ number }) => number)).toEqual([0]);
  });

  it("begin with each job id of a RayJob, whose submitters have no number", () => {
    const rayJob = parentOf([
      triedAt(1_000, "a", "FAILED"),
      triedAt(5_000, "b", "RUNNING"),
      triedAt(9_000, "never-ran"),
    ]);
    const { attempt: _, ...submitter } = job();
    const jobs = [
      { ...submitter, uid: "one", createdAt: 2_000 },
      { ...submitter, uid: "two", createdAt: 6_000 },
    ];
    const attempts = attemptsOf(rayJob, jobs, undefined);
    expect(attempts.map(({ number, state, jobs: own }) => [number, state, own.map(({ uid }) => uid)])).toEqual([
      [0, "Failed", ["one"]],
      [1, "Running", ["two"]],
    ]);
  });

  it("name the failure of a last try, also if an earlier try failed first", () => {
    const done: RunJob = { ...tried("a2", 2), state: "Complete" };
    expect(failedFirst(tried("a1", 1, 3_000), done, tried("b1", 1, 7_000))).toBe("b1");
    expect(failedFirst(tried("a1", 1, 3_000), done)).toBe("a1");
  });

  it("are none without a Job and a parent", () => {
    expect(attemptsOf(undefined, [], undefined)).toEqual([]);
  });
});
