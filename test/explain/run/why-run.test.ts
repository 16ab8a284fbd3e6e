import { describe, expect, it } from "vitest";
import type { Why } from "../../../src/explain/answer-document.ts";
import { describeRun } from "../../../src/explain/run/answer-run.ts";
import { emptyRun, joinRunFacts, type RunRecord, withMember } from "../../../src/explain/run/run-record.ts";
import { explainingJob, explainRun } from "../../../src/explain/run/why-run.ts";
import { deletionRequested, hintsOf } from "../../support/facts/deletion-requested.ts";
import { isTrue, parentDeleted, parentObserved } from "../../support/facts/parent-facts.ts";

const facts = [
  parentObserved({ at: 0 }),
  parentObserved({ at: 5_000, conditions: [isTrue("Failed", 5_000, { reason: "FailedJobs" })] }),
  parentDeleted(8_000),
];
const member = (exitCode: number | undefined) => ({
  namespace: "ml",
  owners: [{ kind: "JobSet", namespace: "ml", name: "train", uid: "js-1", by: "ownerReference" as const }],
  externalIds: {},
  labels: {},
  level: "complete" as const,
  job: {
    uid: "a",
    name: "train-a",
    createdAt: 0,
    state: exitCode === undefined ? ("Complete" as const) : ("Failed" as const),
    ...(exitCode !== undefined && {
      failedAt: 4_000,
      firstFailure: { pod: "train-a-x", exitCode, category: "application" as const, at: 3_000 },
    }),
  },
});
const failed = withMember(joinRunFacts(emptyRun("js-1"), facts), "a", member(3));
const described = (record: RunRecord) => describeRun(record, { cluster: "east", now: 9_000 }) ?? expect.fail();
const ofJob: Why = {
  answer: "Failed (BackoffLimitExceeded): 0 of 1 succeeded; container work exited with code 3.",
  details: [],
  chain: [
    {
      time: "1970-01-01T00:00:03Z",
      resourceVersion: "7",
      kind: "PodTerminated",
      object: "pod/train-a-x",
      sentence: "Failed.",
    },
  ],
  omitted: { count: 2, atLeast: true },
  remedies: ["Fix it."],
};

describe("the explanation of a run", () => {
  it("has the request that deleted it in its chain", () => {
    const hints = hintsOf(deletionRequested(8_000));
    const run = describeRun(failed, { cluster: "east", now: 9_000, hints }) ?? expect.fail();
    expect(explainRun(run, 9_000).chain).toContainEqual({
      kind: "RequestHinted",
      time: "1970-01-01T00:00:08Z",
      resourceVersion: "1",
      object: "jobset/train",
      sentence: "Was deleted by a request of alice.",
    });
  });

  it("has the first failure, and what its Job says first", () => {
    const run = described(failed);
    expect(explainingJob(run)).toEqual({ uid: "a", name: "train-a" });
    const why = explainRun(run, 9_000, { name: "train-a", why: ofJob });
    expect(why.details).toEqual([
      "The first failure of attempt 0: Pod train-a-x of Job train-a exited with code 3 " +
        "at 1970-01-01T00:00:03Z, 3 s after it began.",
      `Job train-a: ${ofJob.answer}`,
    ]);
    expect([why.remedies, why.omitted]).toEqual([["Fix it."], { count: 2, atLeast: true }]);
  });

  it("has what its objects and its Job showed, in order of time", () => {
    const { chain } = explainRun(described(failed), 9_000, { name: "train-a", why: ofJob });
    expect(chain.map(({ object, sentence }) => `${object}: ${sentence}`)).toEqual([
      "jobset/train: Was created.",
      "pod/train-a-x: Failed.",
      "jobset/train: Reported last: Failed (FailedJobs).",
      "jobset/train: Was removed from the cluster.",
    ]);
  });

  it("has reported and observed side by side where they differ", () => {
    const record = withMember(joinRunFacts(emptyRun("js-1"), facts), "a", member(undefined));
    expect(explainRun(described(record), 9_000).details).toEqual([
      "JobSet train reported Failed (FailedJobs), but its Job is complete.",
    ]);
  });

  it("says how the Pods of a kind that starts no Jobs are shown", () => {
    const { details } = explainRun(
      described(joinRunFacts(emptyRun("js-1"), [parentObserved({ of: "Workflow" })])),
      9_000,
    );
    expect(details).toEqual([
      "The Pods of a Workflow have no Job: `outlive fold --pod-runs Workflow` shows those of a recording.",
    ]);
    expect(explainRun(described(failed), 9_000).details.join()).not.toContain("--pod-runs");
  });

  it("says that its object was not observed", () => {
    const record = withMember(emptyRun("js-1"), "a", member(3));
    expect(explainRun(described(record), 9_000).details.at(-1)).toBe(
      "JobSet train itself was not observed: the state follows from its Jobs and Pods, and may change.",
    );
  });
});
