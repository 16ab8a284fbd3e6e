import { describe, expect, it } from "vitest";
import { shortText } from "../../../src/job/text/short-text.ts";

describe("a text of a message", () => {
  it("is one line, without control characters, and at most 300 characters long", () => {
    expect(shortText("a\nb\u001b[31m\u202ec")).toBe("a b\ufffd[31m\ufffdc");
    expect(shortText("x".repeat(400))).toBe(`${"x".repeat(299)}…`);
  });

  it("has no half of a surrogate pair, which strict parsers of JSON refuse", () => {
    expect(shortText(`${"x".repeat(298)}${"🎉".repeat(2)}`)).toBe(`${"x".repeat(298)}…`);
    expect(shortText("🎉🎉🎉", 4)).toBe("🎉…");
    expect(shortText("a\ud83c")).toBe("a\ufffd");
  });

  it("can be shorter", () => {
    expect(shortText("words that go on", 7)).toBe("words…");
  });
});
