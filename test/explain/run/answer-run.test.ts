import { describe, expect, it } from "vitest";
import { answerRun, ownersAboveRun, readRun, seenAtOf, workloadsOf } from "../../../src/explain/run/answer-run.ts";
import { emptyRun, joinRunFacts, type RunMember, withMember } from "../../../src/explain/run/run-record.ts";
import { isTrue, parentObserved } from "../../support/facts/parent-facts.ts";

const OPTIONS = { cluster: "east", now: 100_000 };
const owner = { kind: "TrainJob", name: "bert", uid: "tj-1" };
const jobSet = (said: object = {}) => parentObserved({ at: 1_000, owner, ...said });
const ofKind = (kind: string, uid?: string) => ({
  kind,
  namespace: "ml",
  name: "train",
  by: uid === undefined ? ("name" as const) : ("ownerReference" as const),
  ...(uid !== undefined && { uid }),
});
const member = (said: Partial<RunMember> = {}): RunMember => ({
  namespace: "ml",
  owners: [ofKind("JobSet", "js-1"), ofKind("TrainJob")],
  externalIds: {},
  labels: {},
  level: "complete",
  job: { uid: "a", name: "a", createdAt: 500, state: "Running", startedAt: 700 },
  ...said,
});

const full = (count: number) => ({
  ...emptyRun("js-1"),
  jobs: new Map(Array.from({ length: count }, (_, n) => [`${n}`, member()] as const)),
});

describe("the answer about a run", () => {
  it("names the outermost object, and follows the nearest one that was observed", () => {
    const record = joinRunFacts(emptyRun("js-1"), [jobSet({ conditions: [isTrue("Completed", 9_000)] })]);
    expect(answerRun(record, OPTIONS)).toMatchObject({
      kind: "TrainJob",
      name: "bert",
      uid: "tj-1",
      verdict: { state: "Complete", final: true },
    });
    expect(ownersAboveRun(record)).toEqual([owner]);
  });

  it("follows the outermost one that was observed, if a further one above was not", () => {
    const above = { kind: "Workflow", name: "nightly", uid: "wf-1" };
    const base = { of: "TrainJob", name: "bert", uid: "tj-1", runUid: "tj-1", owner: above };
    const trainJob = parentObserved({ ...base, at: 2_000, conditions: [isTrue("Failed", 2_000)] });
    const record = joinRunFacts(emptyRun("js-1"), [jobSet(), trainJob]);
    expect(answerRun(record, OPTIONS)).toMatchObject({ kind: "Workflow", uid: "wf-1", verdict: { state: "Failed" } });
  });

  it("trusts an observed owner more than a name on a Job", () => {
    const record = withMember(joinRunFacts(emptyRun("js-1"), [jobSet()]), "a", member());
    expect(answerRun(record, OPTIONS)).toMatchObject({ name: "bert", uid: "tj-1", jobs: { total: 1 } });
    const alone = withMember(joinRunFacts(emptyRun("js-1"), [parentObserved()]), "a", member());
    expect(answerRun(alone, OPTIONS)).toMatchObject({ kind: "TrainJob", name: "train" });
  });

  it("is never final if no object was observed", () => {
    const ended = member({ job: { uid: "a", name: "a", createdAt: 500, state: "Complete" } });
    const verdict = answerRun(withMember(emptyRun("js-1"), "a", ended), OPTIONS)?.verdict;
    expect(verdict).toEqual({ state: "Complete", final: false, basis: "observed" });
  });

  it("is as complete as the least complete of its Jobs", () => {
    const both = withMember(withMember(emptyRun("js-1"), "a", member()), "b", member({ level: "gaps" }));
    expect(answerRun(both, OPTIONS)?.completeness.level).toBe("gaps");
  });

  it("says that there may be more Jobs than those that are stored", () => {
    const stored = answerRun({ ...full(2_000), isStored: true }, OPTIONS);
    expect(stored).toMatchObject({
      jobs: { total: 2_000, atLeast: true },
      completeness: {
        level: "gaps",
        gaps: [{ resources: ["jobs"], reason: expect.stringMatching(/^This is derived/) as string }],
      },
    });
    for (const whole of [{ ...full(1_999), isStored: true as const }, full(2_001)]) {
      const { jobs, completeness } = answerRun(whole, OPTIONS) ?? {};
      expect([jobs?.atLeast, completeness?.level]).toEqual([undefined, "complete"]);
    }
  });

  it("has the series above its object", () => {
    const series = { kind: "CronJob", name: "nightly", uid: "cj-1" };
    const record = joinRunFacts(emptyRun("js-1"), [parentObserved({ owner: series })]);
    expect(answerRun(record, OPTIONS)).toMatchObject({ kind: "JobSet", series });
  });

  it("does not exist for a Job on its own that Kueue admits", () => {
    const workload = parentObserved({ of: "Workload", uid: "w-1", owner: { kind: "Job", name: "a", uid: "js-1" } });
    const record = joinRunFacts(emptyRun("js-1"), [workload]);
    expect([answerRun(record, OPTIONS), readRun(record)]).toEqual([undefined, undefined]);
    expect(workloadsOf(record).map(({ uid }) => uid)).toEqual(["w-1"]);
  });
});

describe("the latest instant of a run", () => {
  it("is that of its objects and Jobs", () => {
    const record = withMember(joinRunFacts(emptyRun("js-1"), [jobSet()]), "a", member({ endedAt: 5_000 }));
    expect([seenAtOf(record), seenAtOf(emptyRun("js-1"))]).toEqual([5_000, 0]);
  });
});
