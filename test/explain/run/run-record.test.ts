import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  commonLabels,
  emptyRun,
  joinRunFacts,
  ownLabels,
  ownRecord,
  type RunMember,
  usageOfRun,
  withMember,
} from "../../../src/explain/run/run-record.ts";
import { isRunFact } from "../../../src/job/model/fact.ts";
import { newUsage, type Usage } from "../../../src/job/usage/usage.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";

const member = (uid: string, said: Partial<RunMember> = {}): RunMember => ({
  namespace: "ml",
  owners: [],
  externalIds: {},
  labels: { team: "ml", worker: uid },
  level: "complete",
  job: { uid, name: uid, createdAt: 0, state: "Complete" },
  ...said,
});

describe("the record of a run", () => {
  it("is the same for any order of its facts, and for repeats", () => {
    const facts = restartedJobSet().filter(isRunFact);
    const whole = joinRunFacts(emptyRun("train-uid"), facts);
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (some) => {
        expect(joinRunFacts(joinRunFacts(emptyRun("train-uid"), some), some)).toEqual(whole);
      }),
    );
  });

  it("has the first 2,000 of its Jobs", () => {
    const jobs = Array.from({ length: 2_001 }, (_, n) => [`j-${10_000 - n}`, member("a")] as const);
    const full = { ...emptyRun("js-1"), jobs: new Map(jobs.slice(0, 2_000)) };
    const more = withMember(full, "j-0", member("j-0"));
    expect([more.jobs.size, more.jobs.has("j-0"), more.jobs.has("j-10000")]).toEqual([2_000, true, true]);
    expect(withMember(full, "z", member("z")).jobs.has("z")).toBe(false);
  });

  it("keeps its own Jobs, however many of another namespace claim it", () => {
    const claimed = { ...member("a"), namespace: "evil" };
    const jobs = Array.from({ length: 2_000 }, (_, n) => [`a-${10_000 + n}`, claimed] as const);
    const flooded = { ...joinRunFacts(emptyRun("js-1"), [parentObserved()]), jobs: new Map(jobs) };
    expect(withMember(flooded, "z", member("z")).jobs.has("z")).toBe(true);
  });

  it("without what another namespace claims has the rest", () => {
    const observed = joinRunFacts(emptyRun("js-1"), [
      parentObserved(),
      parentObserved({ of: "Workload", uid: "w-1", namespace: "theirs" }),
    ]);
    const forged = withMember(withMember(observed, "a", member("a")), "b", member("b", { namespace: "theirs" }));
    expect([[...ownRecord(forged).parents.keys()], [...ownRecord(forged).jobs.keys()]]).toEqual([["js-1"], ["a"]]);
    const later = member("b", { namespace: "theirs", job: { ...member("b").job, createdAt: 5 } });
    const unobserved = withMember(withMember(emptyRun("js-1"), "b", later), "a", member("a"));
    expect([...ownRecord(unobserved).jobs.keys()]).toEqual(["a"]);
    expect(ownRecord(emptyRun("js-1"))).toEqual(emptyRun("js-1"));
  });
});

const used = (millis: bigint): Usage => ({ ...newUsage(), pods: 1, podTime: new Map([["kept", millis]]) });
const runOf = (...usages: readonly (Usage | undefined)[]) =>
  usages.reduce(
    (record, usage, n) => withMember(record, `j-${n}`, member(`j-${n}`, usage && { usage })),
    emptyRun("js-1"),
  );

describe("the usage of a run", () => {
  const pods = { of: { namespace: "ml", kind: "DagRun", name: "r" }, externalIds: {}, attempts: [] };

  it("is the exact sum of that of its Jobs and Pods", () => {
    const large = 2n ** 60n;
    const record = { ...runOf(used(large), used(1n)), pods: { ...pods, level: "complete" as const, usage: used(2n) } };
    expect(usageOfRun(record)).toMatchObject({ pods: 3, podTime: new Map([["kept", large + 3n]]) });
  });

  it("is not known if that of a Job is not, or without Jobs", () => {
    expect(usageOfRun(runOf(used(1n), undefined))).toBeUndefined();
    expect(usageOfRun({ ...runOf(used(1n)), pods: { ...pods, level: "complete" } })).toBeUndefined();
    expect(usageOfRun(emptyRun("js-1"))).toBeUndefined();
  });
});

describe("labels of a run", () => {
  it("are those that all of its Jobs have", () => {
    const record = withMember(withMember(emptyRun("js-1"), "a", member("a")), "b", member("b"));
    expect(commonLabels(record)).toEqual({ team: "ml" });
    expect(commonLabels(emptyRun("js-1"))).toEqual({});
  });

  it("are not those of Kubernetes", () => {
    expect(ownLabels({ "batch.kubernetes.io/job-name": "a", "k8s.io/x": "b", "my-k8s.io/x": "c", app: "d" })).toEqual({
      "my-k8s.io/x": "c",
      app: "d",
    });
  });
});
