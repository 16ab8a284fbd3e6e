import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PackedBytes } from "../../../src/query/summary/packed-bytes.ts";

const BLOCK = 1024 * 1024;

describe("packed bytes", () => {
  const key = fc.nat(8);
  const step = fc.oneof(
    fc.record({
      do: fc.constant("set" as const),
      key,
      length: fc.oneof(fc.nat(300), fc.integer({ min: BLOCK / 2, max: BLOCK + 9 })),
      value: fc.nat(255),
    }),
    fc.record({ do: fc.constant("take" as const), key }),
  );

  it("give each key what was set last, once", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const packed = new PackedBytes<number>();
        const plain = new Map<number, Uint8Array>();
        for (const next of steps) {
          if (next.do === "set") {
            const bytes = new Uint8Array(next.length).fill(next.value);
            packed.set(next.key, bytes);
            plain.set(next.key, bytes);
          } else {
            const taken = packed.take(next.key);
            expect(taken === undefined ? undefined : Buffer.from(taken)).toEqual(
              plain.get(next.key) && Buffer.from(plain.get(next.key) ?? []),
            );
            plain.delete(next.key);
          }
          expect(packed.size).toBe(plain.size);
        }
      }),
      { numRuns: 40 },
    );
  });
});
