import { describe, expect, it } from "vitest";
import type { Cause, Finding, JobAnswer, Waiting } from "../../../../src/explain/answer-document.ts";
import { decisivePod, hasRun } from "../../../../web/job/answer/decisive-pod.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { listedJob, second } from "../../../support/story/listed-job.ts";

const attempts = [attemptOf(1, { outcome: "Failed" }), attemptOf(2, { outcome: "Failed" }), attemptOf(3)];
const [first, other, third] = attempts.map(({ uid, name }) => ({ uid, name }));
const both = [first, other].filter((pod) => pod !== undefined);

function jobIn(state: JobAnswer["verdict"]["state"], said: Partial<JobAnswer> = {}): JobAnswer {
  return listedJob({ verdict: { state, final: state === "Complete" || state === "Failed", basis: "both" }, ...said });
}

function causeOf(said: Partial<Cause>): Cause {
  return {
    category: "application",
    responsible: "program",
    retry: "unknown",
    message: "container work exited with code 1",
    attempts: 2,
    counted: 2,
    pods: both,
    evidence: [],
    ...said,
  };
}

const waiting: Waiting = {
  reason: "ImagePull",
  message: "image not found",
  since: second(1),
  podCount: 1,
  ...(third !== undefined && { pods: [third] }),
  evidence: [],
};

function findingAbout(object: string): Finding {
  const evidence = [{ kind: "PodTerminated", time: second(3), resourceVersion: "9", object }];
  return { kind: "ReRunAfterSuccess", message: "1 needless re-run.", pods: both, evidence };
}

describe("the Pod that decided", () => {
  it.each<[string, JobAnswer, string | undefined, string | undefined]>([
    ["a failed Job: the last Pod of its cause", jobIn("Failed", { cause: causeOf({}) }), "cause", other?.uid],
    [
      "a failed Job with more Pods than are named: the first of them",
      jobIn("Failed", { cause: causeOf({ attempts: 9 }) }),
      "cause",
      first?.uid,
    ],
    ["a failed Job without a cause: the last Pod that ran", jobIn("Failed"), "last", third?.uid],
    ["a Job that waits: a Pod that waits", jobIn("Running", { waiting, cause: causeOf({}) }), "waiting", third?.uid],
    ["a running Job with failures: their last Pod", jobIn("Running", { cause: causeOf({}) }), "cause", other?.uid],
    [
      "a success with a finding: the Pod of its first evidence",
      jobIn("Complete", { findings: [findingAbout(`pod/${third?.name}`)] }),
      "finding",
      third?.uid,
    ],
    [
      "a finding whose evidence is about another object: its first Pod",
      jobIn("Complete", { findings: [findingAbout("node/a")] }),
      "finding",
      first?.uid,
    ],
    [
      "a finding without a Pod: that of the next finding",
      jobIn("Complete", {
        findings: [{ kind: "ContradictingStatus", message: "failed is 3.", evidence: [] }, findingAbout("node/a")],
      }),
      "finding",
      first?.uid,
    ],
    ["a success without findings: none", jobIn("Complete"), undefined, undefined],
  ])("of %s", (_, job, is, uid) => {
    const found = decisivePod(job, attempts);
    expect([found?.is, found?.pod.uid, found?.attempt?.uid]).toEqual([is, uid, uid]);
  });

  it("of a running Job is its newest active Pod", () => {
    const active = [1, 2].map((number) => attemptOf(number, { outcome: "Active" }));
    const found = decisivePod(jobIn("Running"), active);
    expect(found?.is).toBe("running");
    expect(found?.pod.uid).toBe(active[1]?.uid);
  });

  it("is known before the Pods are read, if the answer names it", () => {
    expect(decisivePod(jobIn("Failed", { cause: causeOf({}) }), [])).toEqual({ is: "cause", pod: other });
  });
});

describe("a Pod", () => {
  it("has logs once a container of it has run", () => {
    const { startedAt: _, ...waits } = attemptOf(1);
    expect([hasRun(attemptOf(1)), hasRun({ ...waits, containers: [] })]).toEqual([true, false]);
  });
});
