import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEpoch, isFact, isResourceVersion } from "../../src/segment/fact-check.ts";
import { arbitraryFactOfKind } from "../support/facts/arbitrary-facts.ts";

const KINDS = Object.entries(arbitraryFactOfKind);
/** The fields that every fact has. */
const STAMP = ["epoch", "resourceVersion", "at", "kind"] as const;

describe("a fact", () => {
  it.each(KINDS)("of kind %s is valid, and stays so in JSON", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (fact) => {
        expect(isFact(fact)).toBe(true);
        expect(isFact(JSON.parse(JSON.stringify(fact)))).toBe(true);
      }),
    );
  });

  it.each(KINDS)("of kind %s is invalid with an unknown field, or without its stamp", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, fc.constantFrom(...STAMP), (fact, field) => {
        const { [field]: _dropped, ...rest } = fact;
        expect(isFact(rest)).toBe(false);
        expect(isFact({ ...fact, mood: "good" })).toBe(false);
      }),
    );
  });

  it.each(KINDS)("of kind %s is invalid if any of its fields has another type", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, fc.nat(), (fact, number) => {
        const fields = Object.keys(fact);
        const field = fields[number % fields.length] ?? "kind";
        // No field of a fact is a function.
        expect(isFact({ ...fact, [field]: () => undefined })).toBe(false);
      }),
    );
  });

  it.each([undefined, null, "JobTracked", [], {}, { kind: "PodDanced" }, { kind: "toString" }])(
    "is not %j",
    (value) => {
      expect(isFact(value)).toBe(false);
    },
  );
});

describe("the order of a fact", () => {
  it.each([
    [1, true],
    [Number.MAX_SAFE_INTEGER, true],
    [0, false],
    [-1, false],
    [1.5, false],
    ["1", false],
  ])("may have resourceVersion %j: %s", (value, isValid) => {
    expect(isResourceVersion(value)).toBe(isValid);
  });

  it.each([
    [0, true],
    [7, true],
    [-1, false],
    [0.5, false],
    ["0", false],
  ])("may have epoch %j: %s", (value, isValid) => {
    expect(isEpoch(value)).toBe(isValid);
  });
});
