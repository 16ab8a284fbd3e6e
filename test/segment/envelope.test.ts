import { describe, expect, it } from "vitest";
import { unwrap, wrap } from "../../src/segment/envelope.ts";

const MAX = 4 * 1024 * 1024;

describe.each(["brotli", "deflate"] as const)("a text compressed with %s", (codec) => {
  it("is the same after decompression, up to 4 MiB", () => {
    const text = "x".repeat(MAX);
    expect(unwrap(wrap(text, codec).bytes)).toMatchObject({ outcome: "unwrapped", text });
  });

  it("is rejected if it is longer than 4 MiB, although its checksum is right", () => {
    expect(unwrap(wrap("x".repeat(MAX + 1), codec).bytes)).toMatchObject({ outcome: "rejected", problem: "damaged" });
  });
});
