import { describe, expect, it } from "vitest";
import { escapeControls, replaceControls, terminalText } from "../../../src/job/text/terminal-text.ts";

/** One character of each kind that a terminal must not receive. */
const HIDDEN = [
  "\u0000",
  "\u001b",
  "\u007f",
  "\u009b",
  "\u00ad",
  "\u061c",
  "\u180e",
  "\u200b",
  "\u200d",
  "\u200e",
  "\u200f",
  "\u2028",
  "\u2029",
  "\u202a",
  "\u202e",
  "\u2060",
  "\u2064",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\ufeff",
  "\u{e0001}",
  "\u{e0041}",
  "\u{e007f}",
];

describe("text for a terminal", () => {
  it.each(HIDDEN.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    "has a replacement for U+%s",
    (_, character) => {
      expect(terminalText(`a${character}b`)).toBe("a\ufffdb");
      expect(replaceControls(`a${character}b`)).toBe("a\ufffdb");
      const json = JSON.stringify({ name: `a${character}b` });
      expect(escapeControls(json)).toMatch(/^[\x20-\x7e]+$/);
      expect(JSON.parse(escapeControls(json))).toEqual(JSON.parse(json));
    },
  );

  it("keeps letters of all scripts", () => {
    expect(terminalText("Größe データ שלום 🚀")).toBe("Größe データ שלום 🚀");
  });

  it("has spaces instead of tabs and line breaks on one line only", () => {
    expect(terminalText("a\tb\nc")).toBe("a b c");
    expect(replaceControls("a\tb\nc")).toBe("a\tb\nc");
  });
});
