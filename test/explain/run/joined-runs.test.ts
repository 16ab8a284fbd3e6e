import { describe, expect, it } from "vitest";
import { commonIds, joinedRuns } from "../../../src/explain/run/joined-runs.ts";
import {
  emptyRun,
  joinRunFacts,
  type PodsOfRun,
  type RunMember,
  type RunRecord,
  withMember,
} from "../../../src/explain/run/run-record.ts";
import { newUsage } from "../../../src/job/usage/usage.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";

const trainJob = { kind: "TrainJob", name: "bert", uid: "tj-1" };
const jobSet = (uid: string, said: object = {}) =>
  joinRunFacts(emptyRun(uid), [parentObserved({ uid, runUid: uid, name: uid, owner: trainJob, ...said })]);
const trained = joinRunFacts(emptyRun("tj-1"), [
  parentObserved({ of: "TrainJob", uid: "tj-1", runUid: "tj-1", name: "bert" }),
]);
const member = (owner: object, said: Partial<RunMember> = {}): RunMember => ({
  namespace: "ml",
  owners: [{ kind: "JobSet", namespace: "ml", name: "bert", uid: "js-1", by: "ownerReference", ...owner }],
  externalIds: {},
  labels: {},
  level: "complete",
  job: { uid: "a", name: "a", createdAt: 500, state: "Running" },
  ...said,
});
const pods = (said: Partial<PodsOfRun> = {}): PodsOfRun => ({
  of: { namespace: "ml", kind: "DagRun", name: "r-1" },
  externalIds: {},
  attempts: [],
  level: "complete",
  ...said,
});

const alone = (uid: string) => jobSet(uid, { name: "train", owner: undefined });

const failedPod = (name: string, finishedAt: string) => ({
  uid: name,
  name,
  outcome: "Failed" as const,
  category: "application" as const,
  restarts: 0,
  containers: [],
  createdAt: finishedAt,
  finishedAt,
});

const cause = (message: string) => ({
  category: "application" as const,
  responsible: "program" as const,
  retry: "unknown" as const,
  message,
  attempts: 1,
  counted: 1,
  evidence: [],
});

const ofDag = (series: string) => ({ ...pods().of, series: { kind: "DAG", name: series } });

function shown(records: readonly RunRecord[]) {
  return joinedRuns(records).map(({ identity: { kind, name, uid }, record }) => ({
    run: `${kind}/${name}/${uid}`,
    starter: record.uid,
    parents: [...record.parents.keys()].sort(),
    jobs: [...record.jobs.keys()].sort(),
  }));
}

const usageOf = (...parts: readonly Partial<PodsOfRun>[]) =>
  joinedRuns(parts.map((said, n) => ({ ...emptyRun(`${n}`), pods: pods(said) })))[0]?.record.pods?.usage;

describe("the records of a recording", () => {
  it("are one run for a TrainJob and all its JobSets, whose attempts are those of the JobSet", () => {
    const first = withMember(jobSet("js-1"), "a", member({}));
    const whole = [{ run: "TrainJob/bert/tj-1", starter: "js-1", parents: ["js-1", "js-2", "tj-1"], jobs: ["a"] }];
    expect(shown([trained, first, jobSet("js-2")])).toEqual(whole);
    expect(shown([jobSet("js-2"), first, trained])).toEqual(whole);
  });

  it("are two runs for two JobSets that nothing owns", () => {
    expect(shown([alone("js-1"), alone("js-2")]).map(({ run }) => run)).toEqual([
      "JobSet/train/js-1",
      "JobSet/train/js-2",
    ]);
  });

  it("belong by name to the only run of that name", () => {
    const named = withMember(emptyRun("hash"), "a", member({ kind: "TrainJob", uid: undefined, by: "name" }));
    expect(shown([named, trained])).toMatchObject([{ run: "TrainJob/bert/tj-1", jobs: ["a"] }]);
    const other = joinRunFacts(emptyRun("tj-2"), [
      parentObserved({ of: "TrainJob", uid: "tj-2", runUid: "tj-2", name: "bert" }),
    ]);
    expect(shown([named, trained, other]).map(({ run }) => run)).toEqual([
      "TrainJob/bert/undefined",
      "TrainJob/bert/tj-1",
      "TrainJob/bert/tj-2",
    ]);
  });

  it("join the Pods of a run, with the cause of those that failed first", () => {
    const late = pods({ attempts: [failedPod("b", "2026-01-01T00:00:09Z")], cause: cause("late"), level: "gaps" });
    const early = pods({ attempts: [failedPod("a", "2026-01-01T00:00:01Z")], cause: cause("early") });
    const [run] = joinedRuns([
      { ...emptyRun("1"), pods: late },
      { ...emptyRun("2"), pods: early },
    ]);
    expect(run?.record.pods).toMatchObject({ cause: { message: "early" }, level: "gaps" });
    expect(run?.record.pods?.attempts.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("sum what Pods reserved, if that of all is known", () => {
    const used = { ...newUsage(), pods: 2, podTime: new Map([["kept" as const, 5n]]) };
    expect(usageOf({ usage: used }, { usage: used })).toMatchObject({ pods: 4, podTime: new Map([["kept", 10n]]) });
    expect(usageOf({ usage: used }, {})).toBeUndefined();
  });

  it("stay apart in two series, although their names are equal", () => {
    const records = ["etl", "report"].map((dag) => ({ ...emptyRun(dag), pods: pods({ of: ofDag(dag) }) }));
    expect(joinedRuns(records).map(({ identity }) => identity.series?.name)).toEqual(["etl", "report"]);
  });
});

describe("the ids of two parts of a run", () => {
  it("are those that both have", () => {
    expect(commonIds({ a: "1", b: "2", c: "3" }, { a: "1", b: "3" })).toEqual({ a: "1" });
  });
});
