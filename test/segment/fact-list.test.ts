import { describe, expect, it } from "vitest";
import { Damaged } from "../../src/segment/damaged.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { writeFactList } from "../../src/segment/fact-list-v1.ts";
import { readVersioned } from "../../src/segment/fact-list.ts";
import { Story } from "../support/story/story.ts";

const parts = (items: readonly unknown[], version: number): unknown => ({ items, version });

function throwing(error: Error): () => never {
  return () => {
    throw error;
  };
}

function schemaOf(facts: readonly Fact[]): number {
  return writeFactList(facts).schema;
}

describe("a versioned text", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("is read in schema %i", (version) => {
    expect(readVersioned(JSON.stringify([version, "a", "b"]), parts)).toEqual({ items: ["a", "b"], version });
  });

  it.each([12, 99])("is newer in schema %i", (version) => {
    expect(readVersioned(JSON.stringify([version]), parts)).toMatchObject({
      outcome: "rejected",
      problem: "newer",
      reason: `The facts are in schema ${version}; this build of Outlive reads up to 11. Update it.`,
    });
  });

  it.each([
    ["{}", "The text is not an array."],
    ["null", "The text is not an array."],
    ["[]", "The text does not start with a schema version."],
    ["[0]", "The text does not start with a schema version."],
    ["[1.5]", "The text does not start with a schema version."],
    ['["3"]', "The text does not start with a schema version."],
    ["[1", "The text is not JSON: "],
    ["", "The text is not JSON: "],
  ])("is damaged where it is %s", (text, reason) => {
    expect(readVersioned(text, parts)).toMatchObject({
      outcome: "rejected",
      problem: "damaged",
      reason: expect.stringContaining(reason) as string,
    });
  });

  it("is damaged where its reader says so", () => {
    expect(readVersioned("[1]", throwing(new Damaged("A cell is missing.")))).toEqual({
      outcome: "rejected",
      problem: "damaged",
      reason: "A cell is missing.",
    });
  });

  it("does not hide a defect of its reader", () => {
    expect(() => readVersioned("[1]", throwing(new RangeError("defect")))).toThrow(RangeError);
  });

  it("has the oldest schema that can express its facts", () => {
    const story = new Story();
    story.jobCreated();
    expect(schemaOf(story.facts)).toBe(1);
    story.podCreated("a");
    story.podObserved("a", { phase: "Pending", unscheduled: { reason: "Unschedulable" } });
    expect(schemaOf(story.facts)).toBe(2);
    story.jobReported({}, { queueName: "gold" });
    expect(schemaOf(story.facts)).toBe(3);
    story.jobCreated({}, { manual: true });
    expect(schemaOf(story.facts)).toBe(4);
  });
});
