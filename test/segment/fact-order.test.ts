import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../src/job/model/canonical.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { isJobFact } from "../../src/job/model/fact.ts";
import { groupFacts, ungroupFacts } from "../../src/segment/fact-order.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { jobUid } from "../support/facts/names.ts";
import { numberedFact } from "../support/stores/sealed-segments.ts";
import { Story } from "../support/story/story.ts";

const facts = fc.array(arbitraryFact, { maxLength: 40 });

describe("grouped facts", () => {
  it("are the same for the same set of facts", () => {
    fc.assert(
      fc.property(
        facts.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(groupFacts([...shuffled, ...all])).toEqual(groupFacts(all));
        },
      ),
    );
  });

  it("contain each fact once, under its Job and its Pod", () => {
    fc.assert(
      fc.property(facts, (all) => {
        const groups = groupFacts(all);
        expect([...ungroupFacts(groups)].map(canonical).sort()).toEqual([...new Set(all.map(canonical))].sort());
        expect(groups.cluster.filter(isJobFact)).toEqual([]);
        for (const { uid, own, pods } of groups.jobs) {
          expect(own.filter((fact) => fact.jobUid !== uid || "podUid" in fact)).toEqual([]);
          for (const pod of pods) {
            expect(pod.facts.filter((fact) => fact.jobUid !== uid || fact.podUid !== pod.uid)).toEqual([]);
          }
        }
      }),
    );
  });

  it("have Jobs in the order of their first facts", () => {
    const numbers = [9, 10, 1, 100];
    const { jobs } = groupFacts(numbers.map(numberedFact));
    expect(jobs.map(({ own }) => own[0]?.resourceVersion)).toEqual([1, 9, 10, 100]);
  });

  it("have Jobs in the order of their uids where their first facts have the same order", () => {
    const other = { ...numberedFact(1), jobUid: jobUid("job-0") } as Fact;
    expect(groupFacts([numberedFact(1), other]).jobs.map(({ uid }) => uid)).toEqual(["job-0", "job-1"]);
    expect(groupFacts([other, numberedFact(1)]).jobs.map(({ uid }) => uid)).toEqual(["job-0", "job-1"]);
  });

  it("are ordered by resourceVersion, instant, kind and text", () => {
    const fact = numberedFact(5);
    const later = { ...fact, at: fact.at + 1 };
    const otherKind = { ...fact, kind: "JobVanished" } as Fact;
    const next = { ...fact, resourceVersion: numberedFact(6).resourceVersion, at: 0 };
    const [group] = groupFacts([next, later, otherKind, fact, { ...fact }]).jobs;
    expect(group?.own).toEqual([fact, otherKind, later, next]);
  });

  it("have the facts of a Job before those of its Pods", () => {
    const story = new Story("render");
    story.podCreated("a");
    story.jobCreated();
    const [group] = groupFacts(story.facts).jobs;
    expect(group?.own.map(({ kind }) => kind)).toEqual(["JobCreated", "JobSpecified"]);
    expect(group?.pods.map(({ uid }) => uid)).toEqual(["render-a"]);
    expect([...ungroupFacts(groupFacts(story.facts))].at(-1)).toMatchObject({ podUid: "render-a" });
  });
});
