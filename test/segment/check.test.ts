import { describe, expect, it } from "vitest";
import {
  isBoolean,
  isList,
  isNumber,
  isRecord,
  isText,
  isTextRecord,
  isWhole,
  list,
  object,
  oneOf,
  optional,
} from "../../src/segment/check.ts";

const VALUES: readonly unknown[] = [
  "",
  "a",
  true,
  0,
  1.5,
  2 ** 53,
  NaN,
  Infinity,
  null,
  undefined,
  [],
  ["a"],
  {},
  { a: "b" },
];

describe("a check", () => {
  it.each<[string, (value: unknown) => boolean, readonly unknown[]]>([
    ["a text", isText, ["", "a"]],
    ["a boolean", isBoolean, [true]],
    ["a finite number", isNumber, [0, 1.5, 2 ** 53]],
    ["a safe integer", isWhole, [0]],
    ["a list", isList, [[], ["a"]]],
    ["a record", isRecord, [{}, { a: "b" }]],
    ["a record of texts", isTextRecord, [{}, { a: "b" }]],
    ["a list of texts", list(isText), [[], ["a"]]],
    ["one of some values", oneOf<string | boolean>("a", true), ["a", true]],
  ])("for %s accepts nothing else", (_, check, accepted) => {
    expect(VALUES.filter(check)).toEqual(accepted);
  });

  it("of a list or a record looks at each of its items", () => {
    expect(list(isText)(["a", 1])).toBe(false);
    expect(isTextRecord({ a: "b", c: 1 })).toBe(false);
  });
});

describe("a check of an object", () => {
  interface Ending {
    readonly code: number;
    readonly reason?: string;
  }
  const isEnding = object<Ending>({ code: isWhole, reason: optional(isText) });

  it.each<[string, unknown, boolean]>([
    ["with all fields", { code: 1, reason: "Error" }, true],
    ["without an optional field", { code: 1 }, true],
    ["without a field", { reason: "Error" }, false],
    ["with another type of a field", { code: "1" }, false],
    ["with another type of an optional field", { code: 1, reason: 2 }, false],
    ["with an optional field that is undefined", { code: 1, reason: undefined }, false],
    ["with a field of a newer build", { code: 1, signal: 9 }, false],
    ["that is a list", [], false],
    ["that is null", null, false],
  ])("accepts one %s: %j %s", (_, value, isAccepted) => {
    expect(isEnding(value)).toBe(isAccepted);
  });
});
