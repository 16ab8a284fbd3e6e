import { describe, expect, it } from "vitest";
import { differences } from "../../../src/upkeep/replay/field-differences.ts";

describe("the differences of two documents", () => {
  it.each([
    [
      "none of equal ones, in any order of fields",
      { a: 1, b: [1, { c: 2, d: 3 }] },
      { b: [1, { d: 3, c: 2 }], a: 1 },
      [],
    ],
    [
      "a nested field",
      { verdict: { state: "Failed", message: "m" } },
      { verdict: { state: "Complete", message: "m" } },
      [{ path: "verdict.state", live: '"Failed"', other: '"Complete"' }],
    ],
    ["a field of one only", { a: 1 }, { a: 1, b: false }, [{ path: "b", live: "absent", other: "false" }]],
    ["null and an absent field", { a: null }, {}, [{ path: "a", live: "null", other: "absent" }]],
    ["a list as a whole", { pods: [1, 2] }, { pods: [2, 1] }, [{ path: "pods", live: "[1,2]", other: "[2,1]" }]],
    ["an object and a text", { a: {} }, { a: "x" }, [{ path: "a", live: "{}", other: '"x"' }]],
  ])("are %s", (_, live, other, found) => {
    expect(differences(live, other)).toEqual(found);
  });

  it("are at most twenty", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`field${n}`, n]));
    expect(differences(many, {})).toHaveLength(20);
  });
});
