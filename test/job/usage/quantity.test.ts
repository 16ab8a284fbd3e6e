import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatQuantity, NANO, parseQuantity } from "../../../src/job/usage/quantity.ts";

describe("a quantity", () => {
  it.each([
    ["1", NANO],
    ["100m", NANO / 10n],
    ["0.1", NANO / 10n],
    [".5", NANO / 2n],
    ["5.", 5n * NANO],
    ["1.5Gi", 1_610_612_736n * NANO],
    ["2e3", 2_000n * NANO],
    ["25E-1", 2_500_000_000n],
    ["3k", 3_000n * NANO],
    ["1Ki", 1_024n * NANO],
    ["7E", 7n * 10n ** 18n * NANO],
    ["+10u", 10_000n],
    ["-1", -NANO],
    ["0.1n", 1n],
  ])("%s is exact in nano-units", (text, nano) => {
    expect(parseQuantity(text)).toBe(nano);
  });

  it.each(["", "m", "1x", "1 Gi", "1KI", "0x10", "1e100", "9".repeat(30)])("is not %o", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it("has one text, from which it can be read", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (nano) => {
        expect(parseQuantity(formatQuantity(nano))).toBe(nano);
      }),
    );
    expect([NANO, NANO / 4n, 1_500n].map(formatQuantity)).toEqual(["1", "250m", "1500n"]);
  });
});
