import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import { type Fact, isJobFact } from "../../../src/job/model/fact.ts";
import type { JobUid } from "../../../src/job/model/ids.ts";
import { emptyJob, factsOf, foldJobs, joinFacts, joinJobs, type JobRecord } from "../../../src/job/model/job-record.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { Story } from "../../support/story/story.ts";

const facts = fc.array(arbitraryFact, { maxLength: 60 });

/** One text for all records, Job by Job: equal texts, equal records. */
function textOf(records: ReadonlyMap<JobUid, JobRecord>): string {
  return canonical([...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => factsOf(record)));
}

function joined(a: ReadonlyMap<JobUid, JobRecord>, b: ReadonlyMap<JobUid, JobRecord>): ReadonlyMap<JobUid, JobRecord> {
  const all = new Map(a);
  for (const [uid, record] of b) {
    const known = all.get(uid);
    all.set(uid, known === undefined ? record : joinJobs(known, record));
  }
  return all;
}

describe("the join of Jobs' records", () => {
  it("is commutative", () => {
    fc.assert(
      fc.property(facts, facts, (some, others) => {
        const a = foldJobs(some);
        const b = foldJobs(others);
        expect(textOf(joined(a, b))).toBe(textOf(joined(b, a)));
      }),
    );
  });

  it("is associative", () => {
    fc.assert(
      fc.property(facts, facts, facts, (some, others, more) => {
        const [a, b, c] = [foldJobs(some), foldJobs(others), foldJobs(more)];
        expect(textOf(joined(joined(a, b), c))).toBe(textOf(joined(a, joined(b, c))));
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(facts, (some) => {
        const a = foldJobs(some);
        expect(textOf(joined(a, a))).toBe(textOf(a));
      }),
    );
  });
});

describe("the record of a Job", () => {
  it("has no images, so that it does not grow", () => {
    const story = new Story();
    story.jobSpecified({}, 1, { images: [{ container: "work", image: "0f9e8d7c6b5a" }] });
    expect(factsOf(story.record)).toMatchObject([{ kind: "JobSpecified", generation: 1 }]);
    expect(JSON.stringify(factsOf(story.record))).not.toContain("0f9e8d7c6b5a");
  });

  it("keeps 64 versions of a spec, the lowest generations, whatever the order of the facts", () => {
    const story = new Story();
    for (let generation = 1; generation <= 66; generation += 1) story.jobSpecified({ parallelism: 2 }, generation);
    for (const told of [story.facts, story.facts.toReversed()]) {
      const { job } = joinFacts(emptyJob(story.jobUid), told);
      const generations = [...(job.specified?.values() ?? [])].map(({ generation }) => generation);
      expect(generations.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, at) => at + 1));
    }
  });

  it.each([
    ["parallelism", { parallelism: 7 }],
    ["completions", { completions: 7 }],
    ["suspend", { suspend: true }],
    ["activeDeadlineSeconds", { activeDeadlineSeconds: 7 }],
    ["ttlSecondsAfterFinished", { ttlSecondsAfterFinished: 7 }],
  ])("keeps a change of %s, where the source has no generations", (_, change) => {
    const story = new Story();
    story.jobSpecified({}, 0);
    story.jobSpecified(change, 0);
    story.jobSpecified(change, 0);
    expect(story.record.job.specified?.size).toBe(2);
  });

  it("has one end for each of the two types", () => {
    const story = new Story();
    story.jobFinished("Failed");
    story.jobFinished("Complete");
    const { complete, failed } = story.record.job;
    expect([complete?.condition.type, failed?.condition.type]).toEqual(["Complete", "Failed"]);
  });

  it("keeps the first and the latest report", () => {
    const story = new Story();
    for (const active of [1, 2, 3]) story.jobReported({ active });
    const { firstReported, reported } = joinFacts(emptyJob(story.jobUid), story.facts.toReversed()).job;
    expect([firstReported?.status.active, reported?.status.active]).toEqual([1, 3]);
  });

  it("takes no fact of another Job", () => {
    const [story, other] = [new Story(), new Story("other")];
    story.jobCreated();
    other.jobCreated();
    other.podCreated("a");
    const { record } = story;
    expect(joinFacts(record, other.facts)).toBe(record);
  });

  it("gives its facts in an order of its own: the Job's, then those of each Pod by its uid", () => {
    const story = new Story();
    for (const pod of ["c", "a", "b"]) story.podCreated(pod);
    story.jobTracked();
    const names = factsOf(story.record).map((fact) => ("podUid" in fact ? fact.podUid : fact.kind));
    expect(names).toEqual(["JobTracked", "render-a", "render-b", "render-c"]);
  });
});

describe("the fold of facts", () => {
  it("is the same in any order and with duplicates", () => {
    fc.assert(
      fc.property(
        facts.chain((some) =>
          fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: 2 * some.length })),
        ),
        ([some, shuffled]) => {
          expect(textOf(foldJobs(shuffled))).toBe(textOf(foldJobs(some)));
        },
      ),
    );
  });

  it("is the same when parts of the facts are folded and joined", () => {
    fc.assert(
      fc.property(facts, fc.nat({ max: 60 }), (some, cut) => {
        const parts = joined(foldJobs(some.slice(0, cut)), foldJobs(some.slice(cut)));
        expect(textOf(parts)).toBe(textOf(foldJobs(some)));
      }),
    );
  });

  it("is the same in place, fact by fact, as in batches", () => {
    fc.assert(
      fc.property(facts, fc.nat({ max: 60 }), (some, cut) => {
        for (const [uid, record] of foldJobs(some)) {
          const own = some.filter(isJobFact);
          const before = joinFacts(emptyJob(uid), own.slice(0, cut));
          const stood = canonical(factsOf(before));
          const after = joinFacts(before, own.slice(cut));
          expect(canonical(factsOf(after))).toBe(canonical(factsOf(record)));
          expect(canonical(factsOf(before)), "the record that was joined into stays as it was").toBe(stood);
        }
      }),
    );
  });

  it("gives the same record from the facts of a record", () => {
    fc.assert(
      fc.property(facts, (some) => {
        const records = foldJobs(some);
        const again: readonly Fact[] = [...records.values()].flatMap(factsOf);
        expect(textOf(foldJobs(again))).toBe(textOf(records));
      }),
    );
  });

  it("returns the same object if a fact adds nothing", () => {
    fc.assert(
      fc.property(facts, (some) => {
        for (const record of foldJobs(some).values()) expect(joinFacts(record, some.filter(isJobFact))).toBe(record);
      }),
    );
  });
});
