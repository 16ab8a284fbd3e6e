import { describe, expect, it } from "vitest";
import type { LineageKind } from "../../src/parents/kinds.ts";
import { matching, recognise } from "../../src/parents/recognised-kind.ts";

const experiment: LineageKind = {
  kind: "Experiment",
  resource: "experiments.acme.io",
  role: "run",
  when: ["acme.io/experiment"],
  name: "acme.io/experiment",
  uid: "acme.io/uid",
  part: { key: "acme.io/part" },
  attempt: "acme.io/try",
  ids: { "acme/trial": { key: "acme.io/trial", before: "@" }, "acme/team": "acme.io/team" },
  within: "acme.io/team",
  series: { kind: "Study", name: { key: "acme.io/study" } },
};
const keys = {
  "acme.io/experiment": "mnist",
  "acme.io/uid": "u-1",
  "acme.io/part": "trainer",
  "acme.io/try": "2",
  "acme.io/trial": "7@eu",
  "acme.io/team": "ml",
  "acme.io/study": "digits",
};

describe("a kind that is recognised", () => {
  it("has the values of the keys that its entry names", () => {
    expect(recognise([experiment], keys)).toEqual([
      {
        kind: "Experiment",
        resource: "experiments.acme.io",
        name: "mnist",
        uid: "u-1",
        part: "trainer",
        attempt: 2,
        ids: { "acme/trial": "7", "acme/team": "ml" },
        work: "7",
        within: "ml",
        series: { kind: "Study", name: "digits" },
      },
    ]);
  });

  it("lacks what its keys do not say", () => {
    expect(recognise([experiment], { "acme.io/experiment": "mnist", "acme.io/try": "again" })).toEqual([
      { kind: "Experiment", resource: "experiments.acme.io", name: "mnist" },
    ]);
  });

  it("is called by the first id of its entry, not by another one", () => {
    expect(recognise([experiment], { "acme.io/experiment": "mnist", "acme.io/team": "ml" })).toMatchObject([
      { ids: { "acme/team": "ml" } },
    ]);
    expect(recognise([experiment], { "acme.io/experiment": "mnist", "acme.io/team": "ml" })[0]).not.toHaveProperty(
      "work",
    );
  });

  it("keeps a word, and the Job's name as that of its series", () => {
    const { uid: _, ...base } = experiment;
    const hook: LineageKind = { ...base, part: { word: "main" }, series: { kind: "Hook", name: "job" }, alone: true };
    expect(recognise([hook], { "acme.io/experiment": "mnist" })).toEqual([
      {
        kind: "Experiment",
        resource: "experiments.acme.io",
        name: "mnist",
        part: "main",
        series: { kind: "Hook" },
        alone: true,
      },
    ]);
  });

  it("has no key with the name of a method, unless its object has it", () => {
    const odd: LineageKind = { ...experiment, when: ["constructor"], name: "toString" };
    expect(recognise([odd], {})).toEqual([]);
    expect(recognise([odd], { constructor: "a" })[0]).not.toHaveProperty("name");
    expect(recognise([odd], { constructor: "a", toString: "b" })).toMatchObject([{ name: "b" }]);
  });

  it.each([
    ["without one of its keys", { "acme.io/other": "x" }, 0],
    ["with another value of its first key", { "acme.io/experiment": "other" }, 0],
    ["with that value", { "acme.io/experiment": "mnist" }, 1],
  ])("matches or not: %s", (_, given, count) => {
    expect(matching([{ ...experiment, is: "mnist" }], given)).toHaveLength(count);
  });
});
