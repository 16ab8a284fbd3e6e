import { createHash } from "node:crypto";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unwrap, wrap } from "../../src/segment/envelope.ts";

const MAX = 4 * 1024 * 1024;

/** A text as earlier releases could write it. This release only reads brotli. */
function wrapWithBrotli(text: string): Uint8Array {
  const check = createHash("sha256").update(text).digest().subarray(0, 8);
  return Buffer.concat([Buffer.of(1), check, brotliCompressSync(text)]);
}

describe.each([
  ["brotli", wrapWithBrotli],
  ["deflate", (text: string) => wrap(text).bytes],
  ["deflate, as a state", (text: string) => wrap(text, 3).bytes],
])("a text compressed with %s", (_, compress) => {
  it("is the same after decompression, up to 4 MiB", () => {
    const text = "x".repeat(MAX);
    expect(unwrap(compress(text))).toMatchObject({ outcome: "unwrapped", text });
  });

  it("is rejected if it is longer than 4 MiB, although its checksum is right", () => {
    expect(unwrap(compress("x".repeat(MAX + 1)))).toMatchObject({ outcome: "rejected", problem: "damaged" });
  });

  it("has the same SHA-256 whatever its codec", () => {
    const unwrapped = unwrap(compress("a text"));
    expect(unwrapped).toMatchObject({ sha256: createHash("sha256").update("a text").digest("hex") });
  });

  it("is rejected where its checksum differs", () => {
    const bytes = Buffer.from(compress("a text"));
    bytes[1] = (bytes[1] ?? 0) ^ 1;
    expect(unwrap(bytes)).toMatchObject({
      outcome: "rejected",
      reason: expect.stringContaining("checksum differs") as unknown,
    });
  });
});

describe("bytes without a known codec", () => {
  it.each([
    ["too few bytes", Uint8Array.of(2, 0, 0), "damaged"],
    ["a codec of a later release", new Uint8Array(20).fill(4), "newer"],
  ])("are rejected: %s", (_, bytes, problem) => {
    expect(unwrap(bytes)).toMatchObject({ outcome: "rejected", problem });
  });
});
