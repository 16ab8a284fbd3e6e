import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellWord } from "../../../web/text/shell-word.ts";

describe("a word of the shell", () => {
  it.each([
    ["batch", "batch"],
    ["a=b/c:d@e", "a=b/c:d@e"],
    ["", "''"],
    ["it's", String.raw`'it'\''s'`],
    ["a\nb", String.raw`$'a\012b'`],
  ])("for %j is %s", (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it("is that text again for bash", () => {
    const texts = fc.array(fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes("\0")));
    fc.assert(
      fc.property(texts, (given) => {
        const command = `printf '%s\\0' end ${given.map(shellWord).join(" ")}`;
        const words = execFileSync("bash", ["-c", command], { encoding: "utf8" }).split("\0");
        expect(words.slice(1, -1)).toEqual(given.map((text) => text.toWellFormed()));
      }),
      { numRuns: 8 },
    );
  });
});
