import { describe, expect, it } from "vitest";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { type ErasureTarget, knownOf, scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import {
  cluster,
  NAMES,
  NAMESPACE,
  ofCluster,
  ofJob,
  ofNamespace,
  OTHERS,
  uidOf,
} from "../../support/erasure/erasure-scene.ts";

const at = EIGHT + HOUR;
const salt = "c2FsdHNhbHRzYWx0c2FsdA";

function erasureOf(target: ErasureTarget): Erasure {
  const scope = scopeOf({ target, at, by: "alice", reason: "request 12" }, { id: "erasure-1", salt });
  return new Erasure(scope, knownOf(target, salt));
}

const secret = endedJob({ name: NAMES.job, namespace: NAMESPACE, createdAt: EIGHT });
const sibling = endedJob({ name: OTHERS.sibling, namespace: NAMESPACE, createdAt: EIGHT });
const neighbour = endedJob({ name: OTHERS.neighbour, namespace: "zoo", createdAt: EIGHT });

function erased(erasure: Erasure, facts: readonly Fact[], of: string = cluster): number {
  erasure.learn({ cluster: of, facts });
  return facts.filter((fact) => erasure.isErased(of, fact)).length;
}

describe("what an erasure removes", () => {
  it.each([
    ["a Job", ofJob, [true, false, false]],
    ["a namespace", ofNamespace, [true, true, false]],
    ["a cluster", ofCluster, [true, true, true]],
  ] as const)("of %s is every fact about its Jobs, and no fact about others", (_, target, expected) => {
    const erasure = erasureOf(target);
    const shares = [secret, sibling, neighbour].map((facts) => erased(erasure, facts) / facts.length);
    expect(shares).toEqual(expected.map(Number));
  });

  it("is nothing of another cluster", () => {
    expect(erased(erasureOf(ofCluster), secret, "west")).toBe(0);
  });

  it("is not a Job that was created after it, also with the same name", () => {
    const later = endedJob({ name: NAMES.job, namespace: NAMESPACE, createdAt: at + 1 });
    expect([ofJob, ofNamespace, ofCluster].map((target) => erased(erasureOf(target), later))).toEqual([0, 0, 0]);
  });

  it("is a later fact about a Job that was learned before, whatever the fact names", () => {
    const erasure = erasureOf(ofNamespace);
    const [created, ...others] = secret;
    if (created === undefined) throw new Error("The story has no facts.");
    expect(
      erased(
        erasure,
        others.filter(({ kind }) => kind !== "PodCreated"),
      ),
    ).toBe(0);
    erasure.learn({ cluster, facts: [created] });
    const later = others.map((fact) => ({ ...fact, at: at + HOUR }));
    expect(erased(erasure, later)).toBe(later.length);
  });

  it("of a cluster is also a Job whose creation was never observed", () => {
    const erasure = erasureOf(ofCluster);
    expect(erased(erasure, secret.slice(-1))).toBe(1);
    expect(erasure.isErasedJob(cluster, String(uidOf(NAMES.job)))).toBe(true);
  });

  it("is one of several Jobs of a name, where its uid is named", () => {
    const erasure = erasureOf({ ...ofJob, uid: String(uidOf(NAMES.job)) });
    const [other] = endedJob({ name: "another", namespace: NAMESPACE, createdAt: EIGHT });
    if (other?.kind !== "JobCreated") throw new Error("The story does not begin with the Job.");
    expect(erased(erasure, [...secret, { ...other, name: NAMES.job }])).toBe(secret.length);
  });

  it("has no name in clear in its scope", () => {
    const { scope } = erasureOf(ofJob);
    expect(JSON.stringify(scope)).not.toMatch(new RegExp(`${NAMES.job}|${NAMESPACE}`));
  });

  it("is known again from its scope and what it has learned", () => {
    const erasure = erasureOf(ofNamespace);
    const learned = erasure.learn({ cluster, facts: secret });
    const again = new Erasure(erasure.scope, learned);
    expect(secret.every((fact) => again.isErased(cluster, fact))).toBe(true);
    expect(again.learn({ cluster, facts: secret })).toEqual([]);
  });
});

interface Target {
  readonly kind: "Job" | "Pod" | "Node";
  readonly name: string;
  readonly uid?: string;
  readonly namespace?: string;
}

function hint(target: Target, lastAt: number): Fact {
  const [{ epoch, resourceVersion } = { epoch: 0, resourceVersion: undefined }] = secret;
  if (resourceVersion === undefined) throw new Error("The story has no facts.");
  const named = { namespace: NAMESPACE, ...target };
  const times = { at: lastAt, firstAt: lastAt, lastAt };
  const base = { kind: "EventHinted", epoch, resourceVersion, hintId: "h", reason: "Failed", count: 1 } as const;
  return { ...base, target: named, ...times };
}

describe("a hint", () => {
  it.each([
    ["about the Job by its name", hint({ kind: "Job", name: NAMES.job }, at), true],
    ["about a later Job of the name", hint({ kind: "Job", name: NAMES.job }, at + 1), false],
    ["about the Job by its uid, later", hint({ kind: "Job", name: "x", uid: String(uidOf(NAMES.job)) }, at + 1), true],
    ["about another uid of the name", hint({ kind: "Job", name: NAMES.job, uid: "other" }, at), false],
    ["about a Pod of the Job, later", hint({ kind: "Pod", name: NAMES.pod }, at + 1), true],
    ["about a Pod of another Job", hint({ kind: "Pod", name: `${OTHERS.sibling}-x` }, at), false],
    ["about a Node", hint({ kind: "Node", name: "node-1", namespace: "" }, at), false],
  ])("%s belongs to the erasure of a Job: %#", (_, fact, expected) => {
    const erasure = erasureOf(ofJob);
    erasure.learn({ cluster, facts: [...secret, ...sibling] });
    expect(erasure.isErased(cluster, fact)).toBe(expected);
  });

  it("about anything in a namespace belongs to the erasure of the namespace, if it happened before", () => {
    const erasure = erasureOf(ofNamespace);
    const hints = [hint({ kind: "Pod", name: "unknown" }, at), hint({ kind: "Pod", name: "unknown" }, at + 1)];
    expect(hints.map((fact) => erasure.isErased(cluster, fact))).toEqual([true, false]);
  });
});
