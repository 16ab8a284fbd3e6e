import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VarintReader, VarintWriter } from "../../../src/projection/job-state/varint.ts";

const hex = (writer: VarintWriter): string => Buffer.from(writer.finish()).toString("hex");

describe("the encoding of integers and texts", () => {
  it("is inverted by the reader", () => {
    const unsigned = fc.maxSafeNat();
    const signed = fc.maxSafeInteger();
    fc.assert(
      fc.property(unsigned, signed, fc.string({ unit: "grapheme" }), fc.uint8Array(), (u, s, text, bytes) => {
        const reader = new VarintReader(new VarintWriter().unsigned(u).text(text).signed(s).block(bytes).finish());
        expect([reader.unsigned(), reader.text(), reader.signed()]).toEqual([u, text, s === 0 ? 0 : s]);
        expect(Buffer.compare(reader.block(), bytes)).toBe(0);
        expect(reader.rest()).toHaveLength(0);
      }),
    );
  });

  it.each([
    [0, "00"],
    [0x7f, "7f"],
    [0x80, "8001"],
    [Number.MAX_SAFE_INTEGER, "ffffffffffffff0f"],
  ])("writes %i as the stored bytes %s", (value, bytes) => {
    expect(hex(new VarintWriter().unsigned(value))).toBe(bytes);
  });

  it.each([
    [0, "00"],
    [-1, "03"],
    [63, "7e"],
    [-64, "8101"],
    [64, "8001"],
  ])("writes the signed number %i as the stored bytes %s", (value, bytes) => {
    expect(hex(new VarintWriter().signed(value))).toBe(bytes);
  });

  it.each(["", "80", "05616263"])("throws a RangeError at the end of the bytes %j", (bytes) => {
    expect(() => new VarintReader(Buffer.from(bytes, "hex")).text()).toThrow(RangeError);
  });
});
