import { describe, expect, it } from "vitest";
import { describeRun } from "../../../src/explain/run/answer-run.ts";
import { runHeadline } from "../../../src/explain/run/run-headline.ts";
import {
  emptyRun,
  joinRunFacts,
  type RunMember,
  type RunRecord,
  withMember,
} from "../../../src/explain/run/run-record.ts";
import type { RunJob } from "../../../src/parents/run/run-job.ts";
import type { RunFact } from "../../../src/job/model/fact.ts";
import { deletionRequested, hintsOf } from "../../support/facts/deletion-requested.ts";
import { isTrue, parentDeleted, parentObserved } from "../../support/facts/parent-facts.ts";

const owner = { kind: "JobSet", namespace: "ml", name: "train", uid: "js-1", by: "ownerReference" as const };
const member = (job: RunJob, said: Partial<RunMember> = {}): RunMember => ({
  namespace: "ml",
  owners: [owner],
  externalIds: {},
  labels: {},
  level: "complete",
  job,
  ...said,
});
const job = (worker: number, attempt: number, said: Partial<RunJob> = {}): RunJob => ({
  uid: `${worker}/${attempt}`,
  name: `train-worker-${worker}`,
  attempt,
  createdAt: attempt * 1_000,
  startedAt: attempt * 1_000,
  state: "Complete",
  ...said,
});
const failed = (worker: number, attempt: number, said: object = { exitCode: 3 }) =>
  job(worker, attempt, {
    state: "Failed",
    failedAt: attempt * 1_000 + 500,
    firstFailure: { pod: "p", category: "application", at: attempt * 1_000 + 400, ...said },
  });

function lineFor(facts: readonly RunFact[], jobs: readonly RunJob[] = [], of: Partial<RunRecord> = {}): string {
  const record = jobs.reduce(
    (run, one) => withMember(run, one.uid, member(one)),
    joinRunFacts(emptyRun("js-1"), facts),
  );
  const run = describeRun({ ...record, ...of }, { cluster: "east", now: 9_000 });
  return run === undefined ? expect.fail() : runHeadline(run);
}

const set = (said: object) => parentObserved({ at: 5_000, ...said });
const used = (restartsCounted: string, maxRestarts: string, restarts = "1") => ({
  restarts,
  restartsCounted,
  maxRestarts,
});
const ended = (type: string, reason: string) => ({ conditions: [isTrue(type, 5_000, { reason })] });
const workload = (said: object) =>
  parentObserved({
    of: "Workload",
    uid: "w",
    at: 6_000,
    owner: { kind: "JobSet", name: "train", uid: "js-1" },
    fields: { queueName: "main" },
    ...said,
  });

describe("the first line about a run", () => {
  it("names the failure that decided, its restarts, and why the attempts before ended", () => {
    const lost = failed(0, 0, { category: "node-loss", node: "node-a" });
    const facts = [set({ ...ended("Failed", "FailedJobs"), fields: used("2", "2", "2") })];
    expect(lineFor(facts, [lost, failed(1, 1), failed(1, 2)])).toBe(
      "Failed (FailedJobs): worker-1 exited with code 3 in the last attempt (2 of 2 restarts used); " +
        "attempt 0 lost node-a, attempt 1 exited with code 3.",
    );
  });

  it("says which restarts the limit does not count", () => {
    const facts = [set({ ...ended("Failed", "FailedJobs"), fields: used("0", "0") })];
    expect(lineFor(facts, [failed(1, 0), failed(1, 1)])).toContain("in the last attempt (1 restart not counted)");
  });

  it("says what a success cost", () => {
    const facts = [set({ ...ended("Completed", "AllJobsCompleted"), fields: used("1", "2") })];
    expect(lineFor(facts, [failed(1, 0), job(0, 1), job(1, 1)])).toBe(
      "Complete in attempt 1: 2 of 2 Jobs complete; attempt 0 exited with code 3.",
    );
  });

  it("has no findings for a success without an event", () => {
    expect(lineFor([set(ended("Completed", "AllJobsCompleted"))], [job(0, 0)])).toBe(
      "Complete: 1 of 1 Job complete; no findings.",
    );
  });

  it("says which Jobs a success did not need", () => {
    const facts = [set(ended("Completed", "AllJobsCompleted"))];
    expect(lineFor(facts, [job(0, 0), job(1, 0, { state: "Deleted" })])).toBe(
      "Complete: 1 of 2 Jobs complete; 1 Job was deleted unfinished.",
    );
  });

  it("says that the object reports a failure which its Jobs do not show", () => {
    expect(lineFor([set(ended("Failed", "FailedJobs"))], [job(0, 0)])).toBe(
      "Failed (FailedJobs): 1 of 1 Job complete; JobSet train reports a failure that none of its Jobs shows.",
    );
  });

  it("says in which queue it waits, since when and for what", () => {
    const conditions = [
      isTrue("QuotaReserved", 1_000, { status: "False", reason: "Pending", details: { resource: "cpu", flavor: "f" } }),
    ];
    expect(lineFor([set({}), workload({ conditions })])).toBe(
      "Queued in main since 1970-01-01T00:00:00Z (Pending); not enough cpu is free.",
    );
  });

  it("says that Kueue has deactivated it", () => {
    const conditions = [isTrue("Evicted", 2_000, { reason: "Deactivated" })];
    expect(lineFor([set({}), workload({ conditions })])).toBe(
      "Queued in main since 1970-01-01T00:00:00Z (Pending); " +
        "Kueue does not start it again until it is activated; deactivated once.",
    );
  });

  it("says that not all Pods of an admitted run are ready", () => {
    const conditions = [
      isTrue("Admitted", 1_000),
      isTrue("QuotaReserved", 1_000),
      isTrue("PodsReady", 2_000, { status: "False" }),
    ];
    expect(lineFor([set({}), workload({ conditions })], [job(0, 0, { state: "Running" })])).toBe(
      "Running: 0 of 1 Job complete, 1 running; admitted, but not all Pods are ready since 1970-01-01T00:00:02Z.",
    );
  });

  it("says which Job cannot start", () => {
    const waiting = {
      reason: "ImagePull" as const,
      message: "no image",
      since: "2026-01-01T00:00:00Z",
      podCount: 1,
      evidence: [],
    };
    const running = job(0, 0, { state: "Running" });
    const jobs = new Map([[running.uid, member(running, { waiting })]]);
    expect(lineFor([set({})], [], { jobs })).toBe(
      "Running: 0 of 1 Job complete, 1 running; train-worker-0 waits since 2026-01-01T00:00:00Z: no image.",
    );
  });

  it("says that it was deleted before it finished", () => {
    expect(lineFor([set({}), parentDeleted(8_000)], [job(0, 0, { state: "Deleted" })])).toBe(
      "Deleted before it finished: 0 of 1 Job complete.",
    );
  });

  it("says who deleted it, if the audit log has that", () => {
    const hints = hintsOf(deletionRequested(8_000));
    const record = joinRunFacts(emptyRun("js-1"), [set({}), parentDeleted(8_000)]);
    const run = describeRun(record, { cluster: "east", now: 9_000, hints }) ?? expect.fail();
    expect(runHeadline(run)).toBe("Deleted by alice before it finished: no Job or Pod of it was observed.");
    const over = joinRunFacts(record, [set({ at: 6_000, ...ended("Completed", "AllJobsCompleted") })]);
    const complete = describeRun(over, { cluster: "east", now: 9_000, hints }) ?? expect.fail();
    expect(runHeadline(complete)).toContain("deleted at 1970-01-01T00:00:08Z by alice");
  });

  it("says what the reason of an operator means, beside the submitter", () => {
    const ray = {
      of: "RayJob",
      fields: { jobId: "j", jobStatus: "FAILED", jobDeploymentStatus: "Failed", reason: "AppFailed" },
    };
    const submitter = { ...failed(0, 0, { exitCode: 1 }), name: "train", role: "submitter", isLauncher: true as const };
    expect(lineFor([set(ray)], [submitter])).toBe(
      "Failed (AppFailed): its submitter exited with code 1; the entrypoint of its Ray job failed.",
    );
  });
});
