import { describe, expect, it } from "vitest";
import { factsByRun, objectAbove, runsBelow } from "../../../src/parents/run/object-above.ts";
import { isTrue, parentDeleted, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const owner = { kind: "TrainJob", name: "fit", uid: "fit-uid" };
const jobSet = (uid: string) => [uid, parentOf([parentObserved({ uid, runUid: uid, owner })])] as const;

describe("the object above one that starts Jobs", () => {
  it.each([
    ["the TrainJob of a JobSet", "JobSet", owner, owner],
    ["none for a JobSet on its own", "JobSet", undefined, undefined],
    ["none for a JobSet of an owner that starts Jobs itself", "JobSet", { ...owner, kind: "Workflow" }, undefined],
    ["none for a Workload, which admits the TrainJob", "Workload", owner, undefined],
    ["none for a kind that is not watched", "Service", owner, undefined],
  ])("is %s", (_, of, given, above) => {
    expect(objectAbove({ of, ...(given !== undefined && { owner: given }) })).toEqual(above);
  });
});

describe("what a fact adds to runs", () => {
  const facts = [
    parentObserved({ owner }),
    parentObserved({ owner, at: 9_000, fields: { restarts: "1" }, conditions: [isTrue("Completed", 9_000)] }),
  ];

  it("is the fact to its own run, and the same link to that of the object above by each observation", () => {
    const added = facts.flatMap(factsByRun);
    expect(added.map(([run]) => run)).toEqual(["js-1", "fit-uid", "js-1", "fit-uid"]);
    expect(added.filter(([run]) => run === "js-1").map(([, fact]) => fact)).toEqual(facts);
    const [first, second] = added.filter(([run]) => run === "fit-uid").map(([, fact]) => fact);
    expect(first).toEqual(second);
    expect(first).toMatchObject({ uid: "js-1", owner, labels: {}, fields: {}, conditions: [] });
  });

  it("is nothing to another run if it is a deletion", () => {
    expect(factsByRun(parentDeleted(1_000)).map(([run]) => run)).toEqual(["js-1"]);
  });
});

describe("the runs below an object", () => {
  it("are those that it owns and that start its Jobs", () => {
    const workload = parentOf([parentObserved({ of: "Workload", uid: "w-1", runUid: "fit-uid", owner })]);
    const parents = new Map([jobSet("b"), ["w-1", workload], jobSet("a")]);
    expect(runsBelow("fit-uid", parents)).toEqual(["a", "b"]);
    expect(runsBelow("other", parents)).toEqual([]);
  });

  it("are never itself, and at most 32", () => {
    expect(runsBelow("fit-uid", new Map([jobSet("fit-uid")]))).toEqual([]);
    const many = Array.from({ length: 40 }, (_, index) => jobSet(`js-${index}`));
    expect(runsBelow("fit-uid", new Map(many))).toHaveLength(32);
  });
});
