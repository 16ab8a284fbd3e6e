import { describe, expect, it } from "vitest";
import type { Fact, NamespaceFact } from "../../../../src/job/model/fact.ts";
import { MarkedNamespaces } from "../../../../src/kubernetes/translate/memory/marked-namespaces.ts";

const stamp = { epoch: 0, resourceVersion: 7, at: 0 } as NamespaceFact;
const named = (uid: string) => ({ namespace: `name-of-${uid}`, namespaceUid: uid });

function observed(uid: string, isMarked: boolean): Fact {
  const marks = { "outlive.dev/notify": "team-a" };
  return { ...stamp, kind: "NamespaceObserved", ...named(uid), ...(isMarked && { marks }) };
}

function deleted(uid: string): Fact {
  return { ...stamp, kind: "NamespaceDeleted", ...named(uid) };
}

/** How many facts are stated of each observation. */
function statedOf(observations: readonly (readonly Fact[])[], namespaces = new MarkedNamespaces()): readonly number[] {
  return observations.map((facts) => namespaces.statedOf(facts).length);
}

const MARKED = [observed("a", true)];
const OTHER = [{ ...stamp, kind: "NamespaceObserved" as const, ...named("a"), marks: { "outlive.dev/notify": "b" } }];
const PLAIN = [observed("a", false)];

describe("facts about a namespace", () => {
  it.each<[string, readonly (readonly Fact[])[], readonly number[]]>([
    ["once while it has the same keys", [MARKED, MARKED, OTHER, MARKED], [1, 0, 1, 1]],
    ["when it is created again", [MARKED, [...MARKED, deleted("a")], MARKED], [1, 2, 1]],
    ["never if it has none", [PLAIN, PLAIN, [...PLAIN, deleted("a")]], [0, 0, 0]],
    ["once when it has none any more", [MARKED, PLAIN, PLAIN], [1, 1, 0]],
    ["when it is deleted with keys", [MARKED, [...MARKED, deleted("a")]], [1, 2]],
    ["when it is deleted with its last key", [MARKED, [...PLAIN, deleted("a")], PLAIN], [1, 2, 0]],
    ["not for the keys of another one", [MARKED, [observed("b", false)]], [1, 0]],
  ])("are stated %s", (_, observations, expected) => {
    expect(statedOf(observations)).toEqual(expected);
  });

  it("do not concern other facts", () => {
    const node: Fact = { ...stamp, kind: "NodeDeleted", node: "n", nodeUid: "u" };
    expect(statedOf([[node], []])).toEqual([1, 0]);
  });
});

describe("the memory of namespaces with keys", () => {
  it("continues that of an earlier process", () => {
    const before = new MarkedNamespaces();
    before.statedOf(MARKED);
    expect(statedOf([PLAIN, PLAIN], new MarkedNamespaces(before.kept))).toEqual([1, 0]);
  });

  it("keeps 64 of them for a later process, and nothing without any", () => {
    const many = new MarkedNamespaces();
    for (let uid = 0; uid < 65; uid += 1) many.statedOf([observed(String(uid), true)]);
    expect(Object.keys(many.kept ?? {})).toHaveLength(64);
    expect(new MarkedNamespaces().kept).toBeUndefined();
  });

  it("shows those that a list lacks, once", () => {
    const namespaces = new MarkedNamespaces({ a: "name-of-a", b: "name-of-b" });
    expect(namespaces.missing(new Set(["b"]), stamp)).toEqual([deleted("a")]);
    expect(namespaces.missing(new Set(["b"]), stamp)).toEqual([]);
  });

  it("forgets those that were deleted", () => {
    const namespaces = new MarkedNamespaces({ a: "name-of-a" });
    namespaces.statedOf([deleted("a")]);
    expect(namespaces.kept).toBeUndefined();
  });
});
