import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import {
  aboutParent,
  isParentFact,
  PARENT_FACTS,
  PARENT_KINDS,
  PARENT_OF_RESOURCE,
  PARENTS,
} from "../../src/parents/parents.ts";

const resourceVersion = decodeResourceVersion("7");
if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
const stamp = { epoch: 0, resourceVersion, at: 0 };
const object = { namespace: "night", name: "nightly", uid: "c1" };
const heartbeat: Fact = { ...stamp, kind: "ClusterObserved" };

describe("the kinds of parents", () => {
  it("are each listed once, with their resource and their facts", () => {
    expect([...PARENT_KINDS].sort()).toEqual(Object.keys(PARENTS).sort());
    expect(PARENT_KINDS.map((kind) => PARENT_OF_RESOURCE[PARENTS[kind].resource])).toEqual(PARENT_KINDS);
    expect(Object.keys(PARENT_FACTS)).toEqual(PARENT_KINDS.flatMap((kind) => Object.keys(PARENTS[kind].facts)));
  });
});

describe("a fact about a parent", () => {
  it.each(PARENT_KINDS)("names the %s that is gone", (of) => {
    const deleted = PARENTS[of].deleted(object, stamp);
    expect(aboutParent(deleted)).toEqual({ of, object, isDeletion: true, text: "was deleted" });
  });

  it("is distinguished from other facts", () => {
    expect([isParentFact(PARENTS.CronJob.deleted(object, stamp)), isParentFact(heartbeat)]).toEqual([true, false]);
    expect(aboutParent(heartbeat)).toBeUndefined();
  });
});
