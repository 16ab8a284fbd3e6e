import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRefs, encodeRefs, type PageRef, PageUnreadableError } from "../../../src/projection/pages/page-ref.ts";

const count = fc.nat({ max: 0xffff_ffff });
const ref: fc.Arbitrary<PageRef> = fc
  .record({
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex")),
    sortKey: fc.record({ at: fc.integer(), id: fc.string({ unit: "grapheme", maxLength: 40 }) }),
    count,
    width: count,
    marks: fc.option(fc.uint32Array({ maxLength: 5 }), { nil: undefined }),
  })
  .map(({ marks, ...fields }) => (marks === undefined ? fields : { ...fields, marks }));

describe("references to pages", () => {
  it("are decoded from their bytes", () => {
    fc.assert(
      fc.property(fc.array(ref, { maxLength: 5 }), (refs) => {
        expect(decodeRefs(encodeRefs(refs))).toEqual(refs);
      }),
    );
  });

  it("distinguish no marks from an empty list of marks", () => {
    const plain: PageRef = { hash: "00".repeat(32), sortKey: { at: 1, id: "a" }, count: 1, width: 1 };
    const marked: PageRef = { ...plain, marks: new Uint32Array() };
    expect(decodeRefs(encodeRefs([plain, marked]))).toEqual([plain, marked]);
  });

  it("of a later version are refused, with the command that rebuilds the projection", () => {
    expect(() => decodeRefs(Buffer.of(2))).toThrow(PageUnreadableError);
    expect(() => decodeRefs(Buffer.of(2))).toThrow(/has format 2.*outlive replay/);
  });

  it("that are cut off anywhere are refused", () => {
    const marks = Uint32Array.of(7, 8);
    const bytes = encodeRefs([{ hash: "ab".repeat(32), sortKey: { at: 1, id: "uid" }, count: 2, width: 2, marks }]);
    for (let end = 2; end < bytes.length; end += 1) {
      expect(() => decodeRefs(bytes.subarray(0, end))).toThrow(PageUnreadableError);
    }
  });
});
