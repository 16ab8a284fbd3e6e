import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareSides,
  FIELD_KINDS,
  type FieldKind,
  type Side,
  type SideValue,
  UNKNOWN_REASONS,
} from "../../../src/explain/compare/compared-field.ts";
import { known } from "../../../src/explain/compare/side-fields.ts";

const NONE: Side = { fields: [], unknown: new Map() };

function sideWith(kind: FieldKind, value: string | number | readonly string[], key?: string): Side {
  return { fields: [known(kind, value, key === undefined ? {} : { key })], unknown: new Map() };
}

function sideWithout(kind: FieldKind): Side {
  return { fields: [], unknown: new Map([[kind, "notObserved"]]) };
}

const value: fc.Arbitrary<SideValue> = fc.oneof(
  fc.record({ is: fc.constant("known" as const), value: fc.oneof(fc.nat(1_000), fc.constantFrom("a", "b")) }),
  fc.constant({ is: "none" as const }),
  fc.record({ is: fc.constant("unknown" as const), why: fc.constantFrom(...UNKNOWN_REASONS) }),
);
const side: fc.Arbitrary<Side> = fc.record({
  fields: fc.uniqueArray(
    fc.record({ kind: fc.constantFrom(...FIELD_KINDS), key: fc.constantFrom("cpu", "memory"), value }),
    { selector: ({ kind, key }) => `${kind} ${key}` },
  ),
  unknown: fc
    .array(fc.tuple(fc.constantFrom(...FIELD_KINDS), fc.constantFrom(...UNKNOWN_REASONS)))
    .map((pairs) => new Map(pairs)),
});

describe("a comparison", () => {
  it.each([
    ["equal values", sideWith("state", "Failed"), sideWith("state", "Failed"), "equal"],
    ["different values", sideWith("state", "Complete"), sideWith("state", "Failed"), "different"],
    ["equal sets", sideWith("node", ["a", "b"]), sideWith("node", ["a", "b"]), "equal"],
    ["different sets", sideWith("node", ["a"]), sideWith("node", ["a", "b"]), "different"],
    ["a value and none", sideWith("finding", "found", "Waiting"), NONE, "different"],
    ["a value and an unknown one", sideWith("exitCode", ["0"]), sideWithout("exitCode"), "unknown"],
    ["a value of a key and an unknown kind", sideWith("request", ["1"], "cpu"), sideWithout("request"), "unknown"],
    ["two unknown values", sideWithout("image"), sideWithout("image"), "unknown"],
    ["none and an unknown value", NONE, sideWithout("image"), "unknown"],
    ["durations five seconds apart", sideWith("whole", 2), sideWith("whole", 7), "equal"],
    ["durations more than five seconds apart", sideWith("whole", 2), sideWith("whole", 7.001), "different"],
    ["durations a fifth of the longer one apart", sideWith("whole", 80), sideWith("whole", 100), "equal"],
    ["durations more than a fifth of the longer one apart", sideWith("whole", 79), sideWith("whole", 100), "different"],
    ["numbers that are no durations", sideWith("attempts", 2), sideWith("attempts", 3), "different"],
  ])("of %s", (_, before, after, outcome) => {
    expect(compareSides(before, after).map((field) => field.outcome)).toEqual([outcome]);
  });

  it("has no field of a kind that neither side has", () => {
    expect(compareSides(NONE, NONE)).toEqual([]);
  });

  it("is in the order of kinds, then of keys", () => {
    const fields = [
      known("whole", 1),
      known("label", "x", { key: "b" }),
      known("label", "x", { key: "a" }),
      known("state", "x"),
    ];
    const kinds = compareSides({ fields, unknown: new Map() }, NONE).map(({ kind, key = "" }) =>
      `${kind} ${key}`.trim(),
    );
    expect(kinds).toEqual(["state", "label a", "label b", "whole"]);
  });

  it("with itself has no difference", () => {
    fc.assert(
      fc.property(side, (one) => {
        expect(compareSides(one, one).filter(({ outcome }) => outcome === "different")).toEqual([]);
      }),
    );
  });

  it("swaps before and after, and nothing else, when the sides are swapped", () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        const swapped = compareSides(b, a).map((field) => ({ ...field, before: field.after, after: field.before }));
        expect(swapped).toEqual(compareSides(a, b));
      }),
    );
  });

  it("never calls what is unknown a difference", () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        for (const { outcome, before, after } of compareSides(a, b)) {
          expect(outcome === "unknown").toBe(before.is === "unknown" || after.is === "unknown");
        }
      }),
    );
  });
});
