import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { flagParameter, limitParameter, statesParameter } from "../../../src/http/contract/parameters.ts";
import { readParameters } from "../../../src/http/contract/read-parameters.ts";

const ENTRIES = {
  limit: v.exactOptional(limitParameter(10, 5)),
  state: v.exactOptional(statesParameter),
  waiting: v.exactOptional(flagParameter("Only those.")),
};

function errorsOf(given: readonly (readonly [string, string])[], entries: v.ObjectEntries = ENTRIES) {
  const read = readParameters("query", entries, given);
  return read.outcome === "refused" ? (read.problem.errors ?? []).map(({ name, detail }) => `${name} ${detail}`) : [];
}

describe("the parameters of a request", () => {
  it("are read together, and a repeated one as a list", () => {
    const given = [
      ["state", "failed"],
      ["limit", "3"],
      ["state", "Complete,failed"],
    ] as const;
    expect(readParameters("query", ENTRIES, given)).toEqual({
      outcome: "read",
      value: { state: ["Failed", "Complete"], limit: 3 },
    });
  });

  it.each([
    ["an unknown name", [["limti", "3"]], ["limti is unknown: did you mean limit?"]],
    ["a name like no other", [["color", "red"]], ["color is unknown: this route takes limit, state, waiting"]],
    [
      "a name of every object",
      [["constructor", "1"]],
      ["constructor is unknown: this route takes limit, state, waiting"],
    ],
    [
      "a single value twice",
      [
        ["limit", "3"],
        ["limit", "4"],
      ],
      ["limit is given 2 times: give it once"],
    ],
    [
      "two invalid values",
      [
        ["limit", "0"],
        ["waiting", "yes"],
      ],
      ["limit must be a whole number from 1 to 10", "waiting must be true or false"],
    ],
  ] as const)("are refused for %s", (_, given, expected) => {
    expect(errorsOf(given)).toEqual(expected);
  });

  it("are refused where a route takes none", () => {
    expect(errorsOf([["a", "1"]], {})).toEqual(["a is unknown: this route takes no parameters"]);
  });

  it("name the first errors only, shortened, and count the others", () => {
    const names = Array.from({ length: 12 }, (_, n): [string, string] => [`${"x".repeat(200)}${n}`, ""]);
    const read = readParameters("query", ENTRIES, names);
    if (read.outcome !== "refused") throw new Error("They are unknown.");
    expect(read.problem.errors).toHaveLength(10);
    expect(read.problem.errors?.[0]?.name).toBe("x".repeat(100));
    expect(read.problem.detail).toMatch(/ 2 more parameters are invalid\.$/);
  });
});
