import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { Damaged } from "../../src/segment/damaged.ts";
import { readFactList, writeFactList } from "../../src/segment/fact-list-v1.ts";
import { Story } from "../support/story/story.ts";

function factsOf(name: string): readonly Fact[] {
  const story = new Story(name);
  story.jobCreated();
  story.podCreated("a");
  return story.facts;
}

/** The parts of a list as they are stored. */
function partsOf(facts: readonly Fact[]): unknown[] {
  return JSON.parse(writeFactList(facts).text) as unknown[];
}

describe("a list of facts", () => {
  it("is read back", () => {
    const facts = factsOf("render");
    expect(new Set(readFactList(partsOf(facts)))).toEqual(new Set(facts));
  });

  it("does not name the facts of no Job if it has none", () => {
    const [, script] = partsOf(factsOf("render"));
    const [, empty] = partsOf([]);
    expect(empty).toBe("");
    expect(typeof script === "string" && script.length > 0).toBe(true);
    expect(readFactList(partsOf([]))).toEqual([]);
  });

  it.each<[string, (parts: unknown[]) => unknown, RegExp]>([
    ["no list", () => "text", /three parts/],
    ["an object", () => ({ length: 3 }), /three parts/],
    ["two parts", (parts) => parts.slice(0, 2), /three parts/],
    ["four parts", (parts) => [...parts, []], /three parts/],
    ["templates that are no list", ([, script, columns]) => [{}, script, columns], /array, a string and an array/],
    ["a script that is no text", ([templates, , columns]) => [templates, 7, columns], /array, a string and an array/],
    ["columns that are no list", ([templates, script]) => [templates, script, {}], /array, a string and an array/],
    ["no valid part", () => [1, 2, 3], /array, a string and an array/],
    ["a template that is no object", ([, script, columns]) => [[7], script, columns], /template/],
    ["no templates", ([, script, columns]) => [[], script, columns], /template/],
  ])("is damaged if it has %s", (_, damage, reason) => {
    const damaged = damage(partsOf(factsOf("render")));
    expect(() => readFactList(damaged)).toThrow(Damaged);
    expect(() => readFactList(damaged)).toThrow(reason);
  });

  it("is damaged if a stamp is out of order", () => {
    const [first] = factsOf("render");
    if (first === undefined) return expect.fail("no fact");
    for (const stamp of [{ resourceVersion: -1 }, { epoch: -1 }]) {
      const parts = partsOf([{ ...first, ...stamp } as Fact]);
      expect(() => readFactList(parts)).toThrow("A stamp is invalid.");
    }
  });

  it("keeps the names of Pods, whichever Job they belong to", () => {
    const facts = [...factsOf("render"), ...factsOf("report")];
    expect(new Set(readFactList(partsOf(facts)))).toEqual(new Set(facts));
  });

  it("has the same text however many lists were written before", () => {
    const alone = writeFactList(factsOf("report")).text;
    writeFactList(factsOf("render"));
    expect(writeFactList(factsOf("report")).text).toBe(alone);
  });
});
