import { describe, expect, it } from "vitest";
import { attributeRunDeletion, deletedTarget } from "../../../src/parents/run/run-deletion.ts";
import { deletionRequested, hintsOf } from "../../support/facts/deletion-requested.ts";
import { parentDeleted, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const created = parentObserved({ createdAt: 1_000, at: 1_000 });
const deleted = parentOf([created, parentDeleted(5_000)]);
const about = (uid: string) => ({ target: { kind: "JobSet", namespace: "ml", name: "train", uid } });

describe("the deletion of the object of a run", () => {
  it.each([
    ["by the uid of the request", deletionRequested(9_000, about("js-1")), "alice"],
    ["by a request since its creation, if the audit event has no uid", deletionRequested(9_000), "alice"],
    ["not by one about an earlier object of the name", deletionRequested(-500), undefined],
    ["not by one about another object of the name", deletionRequested(9_000, about("js-2")), undefined],
    ["not by one that was refused", deletionRequested(9_000, { code: 403 }), undefined],
  ])("is attributed %s", (_, request, actor) => {
    const attributed = attributeRunDeletion(deleted, { hints: hintsOf(request) });
    expect([attributed?.actor, attributed?.confidence]).toEqual([actor, actor && "certain"]);
  });

  it("has the request as evidence", () => {
    expect(attributeRunDeletion(deleted, { hints: hintsOf(deletionRequested(9_000)) })).toMatchObject({
      cause: { cause: "request", object: "Run", user: "alice", evicted: false },
      evidence: [{ fact: "RequestHinted", object: { kind: "jobset", name: "train" }, at: 9_000 }],
    });
  });

  it("has no actor without an audit event: nothing is inferred", () => {
    expect(attributeRunDeletion(deleted, { hints: new Map() })).toBeUndefined();
  });

  it("is known only if it was observed, with the name of the object", () => {
    expect(deletedTarget(deleted)).toEqual({ kind: "JobSet", namespace: "ml", name: "train" });
    const others = [parentOf([created]), parentOf([parentDeleted(5_000)])];
    expect(others.map(deletedTarget)).toEqual([undefined, undefined]);
    const context = { hints: hintsOf(deletionRequested(9_000)) };
    expect(others.map((other) => attributeRunDeletion(other, context))).toEqual([undefined, undefined]);
  });
});
