import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import {
  aboutParent,
  isParentFact,
  PARENT_FACTS,
  WATCHED_KINDS,
  KIND_OF_RESOURCE,
  WATCHED_PARENTS,
} from "../../src/parents/parents.ts";

const resourceVersion = decodeResourceVersion("7");
if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
const stamp = { epoch: 0, resourceVersion, at: 0 };
const object = { namespace: "night", name: "nightly", uid: "c1" };
const heartbeat: Fact = { ...stamp, kind: "ClusterObserved" };

describe("the kinds of parents", () => {
  it("are each listed once, with their resource and their facts", () => {
    expect([...WATCHED_KINDS].sort()).toEqual(Object.keys(WATCHED_PARENTS).sort());
    expect(WATCHED_KINDS.map((kind) => KIND_OF_RESOURCE[WATCHED_PARENTS[kind].resource])).toEqual(WATCHED_KINDS);
    expect(Object.keys(PARENT_FACTS)).toEqual(
      WATCHED_KINDS.flatMap((kind) => Object.keys(WATCHED_PARENTS[kind].facts)),
    );
  });
});

describe("a fact about a parent", () => {
  it.each(WATCHED_KINDS)("names the %s that is gone", (of) => {
    const deleted = WATCHED_PARENTS[of].deleted(object, stamp);
    expect(aboutParent(deleted)).toEqual({ of, object, isDeletion: true, text: "was deleted" });
  });

  it("is distinguished from other facts", () => {
    expect([isParentFact(WATCHED_PARENTS.CronJob.deleted(object, stamp)), isParentFact(heartbeat)]).toEqual([
      true,
      false,
    ]);
    expect(aboutParent(heartbeat)).toBeUndefined();
  });
});
