import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact, JobFact } from "../../../src/job/model/fact.ts";
import { emptyJob, factsOf, type JobObject, joinFacts } from "../../../src/job/model/job-record.ts";
import { earlier, later } from "../../../src/job/model/milestone.ts";
import { Story } from "../../support/story/story.ts";

function twoFacts(): readonly [Fact, Fact] {
  const story = new Story();
  story.jobTracked();
  story.jobTracked();
  const [first, second] = story.facts;
  if (first === undefined || second === undefined) throw new Error("The story has two facts.");
  return [first, second];
}

describe("the earlier of two facts", () => {
  const [first, second] = twoFacts();

  it("is the only one if nothing was known", () => {
    expect(earlier(undefined, second)).toBe(second);
  });

  it("is the one with the lower order, in either sequence", () => {
    expect(earlier(first, second)).toBe(first);
    expect(earlier(second, first)).toBe(first);
  });

  it("is the one of the lower epoch, whatever the resourceVersions are", () => {
    const restored = { ...first, epoch: 1 };
    expect(earlier(restored, second)).toBe(second);
  });

  it("does not depend on the sequence if the orders are equal", () => {
    const other = { ...first, at: first.at + 1 };
    expect(earlier(first, other)).toBe(earlier(other, first));
  });

  it("is the known object itself if both are equal", () => {
    expect(earlier(first, { ...first })).toBe(first);
  });
});

describe("the later of two facts", () => {
  const [first, second] = twoFacts();

  it("is the only one if nothing was known", () => {
    expect(later(undefined, first)).toBe(first);
  });

  it("is the one with the higher order, in either sequence", () => {
    expect(later(first, second)).toBe(second);
    expect(later(second, first)).toBe(second);
  });

  it("does not depend on the sequence if the orders are equal", () => {
    const other = { ...first, at: first.at + 1 };
    expect(later(first, other)).toBe(later(other, first));
  });

  it("is the known object itself if both are equal", () => {
    expect(later(first, { ...first })).toBe(first);
  });
});

describe("of two facts with the same order", () => {
  const [first] = twoFacts();
  const [smaller, larger] = [
    { ...first, at: 1 },
    { ...first, at: 2 },
  ];

  it("the one with the smaller text is both the earlier and the later", () => {
    for (const join of [earlier, later]) {
      expect(join(smaller, larger)).toBe(smaller);
      expect(join(larger, smaller)).toBe(smaller);
    }
  });
});

function reports(...successes: readonly number[]): Story {
  const story = new Story();
  for (const succeeded of successes) story.jobReported({ succeeded });
  return story;
}

function joined(story: Story, facts: readonly JobFact[]): JobObject {
  return joinFacts(emptyJob(story.jobUid), facts).job;
}

/** The facts of a story, each twice, in any order. */
const shuffledReports = fc.array(fc.nat({ max: 3 }), { maxLength: 8 }).chain((successes) => {
  const story = reports(...successes);
  const twice = [...story.facts, ...story.facts];
  return fc
    .shuffledSubarray(twice, { minLength: twice.length })
    .map((shuffled): { readonly story: Story; readonly shuffled: readonly JobFact[] } => ({ story, shuffled }));
});

describe("the peak of a counter", () => {
  it.each<[readonly number[], number | undefined]>([
    [[], undefined],
    [[0, 1, 1, 2], undefined],
    [[0, 3, 1], 3],
    [[0, 5, 0, 1], 5],
    [[2, 1, 3], undefined],
    [[2, 1, 2], undefined],
  ])("of reports %o is %s", (successes, peak) => {
    const story = reports(...successes);
    expect(joined(story, story.facts).peakSucceeded?.status.succeeded).toBe(peak);
  });

  it.each([[[3, 3, 1]], [[3, 1, 3, 2]]])("of reports %o is the latest of the highest", (successes) => {
    const story = reports(...successes);
    const highest = story.facts.filter((fact) => fact.kind === "JobReported" && fact.status.succeeded === 3).at(-1);
    expect(joined(story, story.facts).peakSucceeded).toBe(highest);
    expect(joined(story, story.facts.toReversed()).peakSucceeded).toBe(highest);
  });

  it("is kept for each counter on its own", () => {
    const story = new Story();
    story.jobReported({ succeeded: 2, failed: 0 });
    story.jobReported({ succeeded: 1, failed: 4 });
    story.jobReported({ succeeded: 1, failed: 3 });
    const { peakSucceeded, peakFailed } = joined(story, story.facts);
    expect([peakSucceeded?.status.succeeded, peakFailed?.status.failed]).toEqual([2, 4]);
  });

  it("is none where an absent counter is followed by none", () => {
    const story = new Story();
    story.jobReported({});
    story.jobReported({ succeeded: 0 });
    expect(joined(story, story.facts).peakSucceeded).toBeUndefined();
  });

  it("depends on the set of reports only, in whatever order and however often they arrive", () => {
    fc.assert(
      fc.property(shuffledReports, ({ story, shuffled }) => {
        expect(joined(story, shuffled)).toEqual(joined(story, story.facts));
      }),
    );
  });

  it("is restored from the facts of the record", () => {
    const story = reports(0, 5, 0, 1);
    expect(joinFacts(emptyJob(story.jobUid), factsOf(story.record))).toEqual(story.record);
  });
});
