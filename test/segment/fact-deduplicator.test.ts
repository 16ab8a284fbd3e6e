import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { foldJobs } from "../../src/job/model/job-record.ts";
import { FactDeduplicator } from "../../src/segment/fact-deduplicator.ts";
import { decodePodUid } from "../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { jobUid } from "../support/facts/names.ts";

const ROOMY = { jobs: 1000, pods: 1000 };
const facts = fc.array(arbitraryFact, { maxLength: 60 });

function fact(
  kind: "PodTracked" | "PodVanished" | "JobTracked" | "JobDeleted" | "PodDeleted",
  job = "a",
  pod = "p",
  version = 7,
): Fact {
  const resourceVersion = decodeResourceVersion(String(version));
  const podUid = decodePodUid(pod);
  if (resourceVersion === undefined || podUid === undefined) throw new Error("The test's ids are none.");
  const stamp = { jobUid: jobUid(job), epoch: 0, resourceVersion, at: 0 };
  if (kind === "JobTracked" || kind === "JobDeleted") return { kind, ...stamp };
  return kind === "PodDeleted" ? { kind, ...stamp, podUid, tracked: false } : { kind, ...stamp, podUid };
}

describe("a deduplicator", () => {
  it("passes facts that join to the same records", () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 1, max: 5 }), (facts, bound) => {
        for (const limits of [ROOMY, { jobs: bound, pods: bound }]) {
          const deduplicator = new FactDeduplicator(limits);
          expect(foldJobs(facts.filter((fact) => deduplicator.isNew(fact)))).toEqual(foldJobs(facts));
        }
      }),
    );
  });

  it("passes a fact once", () => {
    const deduplicator = new FactDeduplicator(ROOMY);
    expect([1, 2, 3].map(() => deduplicator.isNew(fact("PodTracked")))).toEqual([true, false, false]);
  });

  it("drops a later observation of a known state, and passes an earlier one", () => {
    const deduplicator = new FactDeduplicator(ROOMY);
    expect([7, 9, 5].map((version) => deduplicator.isNew(fact("PodTracked", "a", "p", version)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ["a Job that is deleted", "JobTracked", "JobDeleted"],
    ["a Pod that is deleted", "PodTracked", "PodDeleted"],
  ] as const)("forgets %s, at the price of a repeat", (_, kind, gone) => {
    const deduplicator = new FactDeduplicator(ROOMY);
    expect([kind, gone, kind].map((kind) => deduplicator.isNew(fact(kind)))).toEqual([true, true, true]);
  });

  it("forgets the least recently updated Job beyond its limit", () => {
    const deduplicator = new FactDeduplicator({ jobs: 2, pods: 10 });
    for (const job of ["a", "b", "a", "c"]) deduplicator.isNew(fact("JobTracked", job));
    expect(deduplicator.isNew(fact("JobTracked", "a"))).toBe(false);
    expect(deduplicator.isNew(fact("JobTracked", "b"))).toBe(true);
  });

  it("forgets Jobs beyond its limit of Pods", () => {
    const deduplicator = new FactDeduplicator({ jobs: 10, pods: 2 });
    for (const pod of ["1", "2", "3"]) deduplicator.isNew(fact("PodTracked", pod === "1" ? "a" : "b", pod));
    expect(deduplicator.isNew(fact("PodTracked", "b", "3"))).toBe(false);
    expect(deduplicator.isNew(fact("PodTracked", "a", "1"))).toBe(true);
  });
});
