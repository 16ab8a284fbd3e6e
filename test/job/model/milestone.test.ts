import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
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
