import { describe, expect, it } from "vitest";
import {
  attemptSentences,
  earlierClauses,
  failureText,
  fullFailureText,
  jobNameIn,
  replacedClauses,
} from "../../../src/explain/run/attempt-text.ts";
import type { PodFailure, RunJob } from "../../../src/parents/run/run-job.ts";
import type { RunAttempt } from "../../../src/parents/run/run-attempts.ts";

const failure = (said: Partial<PodFailure> = {}): PodFailure => ({
  pod: "p",
  category: "application",
  at: 5_000,
  ...said,
});
const job = (name: string, said: Partial<RunJob> = {}): RunJob => ({
  uid: name,
  name,
  createdAt: 0,
  state: "Failed",
  ...said,
});
const attempt = (number: number, failed?: RunJob, jobs: readonly RunJob[] = []): RunAttempt => ({
  number,
  startedAt: 0,
  endedAt: 60_000,
  state: failed === undefined ? "Interrupted" : "Failed",
  ...(failed !== undefined && { failed }),
  jobs,
});
const exited = (exitCode: number) => job("train-worker-1", { firstFailure: failure({ exitCode }) });
const lost = job("train-worker-0", { firstFailure: failure({ category: "node-loss", node: "node-a", exitCode: 255 }) });
const cause = {
  category: "oom" as const,
  responsible: "limit" as const,
  retry: "more-memory" as const,
  message: "OOMKilled: container work exceeded its memory limit",
  attempts: 1,
  counted: 1,
  evidence: [],
};

describe("how a Job failed", () => {
  it.each([
    [{ exitCode: 3 }, "exited with code 3"],
    [{ category: "node-loss", node: "node-a", exitCode: 255 }, "lost node-a"],
    [{ category: "node-loss" }, "lost its node"],
    [{ category: "oom", exitCode: 137 }, "was OOMKilled"],
    [{ category: "eviction", exitCode: 143 }, "was evicted"],
    [{ category: "unknown" }, "failed"],
  ] as const)("by %o is that it %s", (said, text) => {
    expect(failureText({ firstFailure: failure(said) })).toBe(text);
  });

  it("has the details of its cause, unless that is an exit code", () => {
    expect(fullFailureText({ firstFailure: failure({ category: "oom", exitCode: 137 }) }, cause)).toBe(
      "failed: OOMKilled: container work exceeded its memory limit",
    );
    expect(fullFailureText({ firstFailure: failure({ exitCode: 3 }) }, cause)).toBe("exited with code 3");
  });
});

describe("the name of a Job", () => {
  it.each([
    [{ name: "train-worker-1", role: "worker" }, "worker-1"],
    [{ name: "train", role: "submitter", isLauncher: true as const }, "its submitter"],
    [{ name: "other" }, "other"],
  ])("%o within run train is %s", (named, text) => {
    expect(jobNameIn("train", named)).toBe(text);
  });
});

const textsOf = (...attempts: RunAttempt[]) => earlierClauses(attempts).map(({ full }) => full);

describe("the attempts before the last one", () => {
  it("say why each ended, and are grouped if they ended alike", () => {
    expect(textsOf(attempt(0, lost), attempt(1, exited(3)), attempt(2, exited(3)))).toEqual([
      "attempt 0 lost node-a, attempt 1 exited with code 3",
    ]);
    const evicted = job("a", { firstFailure: failure({ category: "eviction" }) });
    expect(textsOf(attempt(0, evicted), attempt(1, evicted), attempt(2))).toEqual(["attempts 0 and 1 were evicted"]);
    expect(textsOf(attempt(0), attempt(1))).toEqual(["attempt 0 was interrupted"]);
    const unknown = { ...attempt(0), state: "Unknown" as const };
    expect(textsOf(unknown, attempt(1))).toEqual(["attempt 0 ended for an unknown reason"]);
    expect(textsOf({ ...unknown, state: "Failed" }, attempt(1))).toEqual(["attempt 0 failed"]);
    expect(textsOf(attempt(0))).toEqual([]);
  });

  it("say what each cost", () => {
    const jobs = [exited(3), job("b", { state: "Complete" })];
    expect(attemptSentences("train", [attempt(0, exited(3), jobs), attempt(1)], new Map())).toEqual([
      "attempt 0 ended after 1 min: worker-1 exited with code 3; " +
        "its 2 Jobs were started again, 1 of which was complete",
    ]);
  });
});

describe("a Job that took the place of another one within an attempt", () => {
  it("was created again after that had failed or was deleted", () => {
    const again = job("train-worker-1", { uid: "again", state: "Complete" });
    expect(replacedClauses("train", attempt(0, undefined, [exited(5), again]))).toEqual([
      { full: "worker-1 was created again after it exited with code 5", brief: "worker-1 was created again" },
    ]);
    const removed = job("train-worker-1", { state: "Deleted" });
    expect(replacedClauses("train", attempt(0, undefined, [removed, again]))[0]?.full).toBe(
      "worker-1 was created again after it was deleted",
    );
    expect(replacedClauses("train", attempt(0, undefined, [again]))).toEqual([]);
  });
});
