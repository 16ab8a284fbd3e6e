import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "../../../src/job/text/csv-text.ts";

type Cell = string | number | undefined;

/** The fields of one line by the grammar of RFC 4180. */
function fieldsIn(line: string): readonly string[] {
  return [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}

describe("a line of CSV", () => {
  it.each<[Cell[], string]>([
    [["a", 3], "a,3\r\n"],
    [[undefined], "\r\n"],
    [["a,b"], '"a,b"\r\n'],
    [['say "hi"'], '"say ""hi"""\r\n'],
    [["two\nlines"], '"two\nlines"\r\n'],
    [["\u001b[2J"], "\ufffd[2J\r\n"],
    [[-5], "-5\r\n"],
  ])("of %j is %j", (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"])(
    "has an apostrophe before %j, because a spreadsheet would run it",
    (text) => {
      expect(fieldsIn(csvLine([text]))).toEqual([`'${text}`]);
    },
  );

  it("has every text in a field of its own, and no field that begins a formula", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary-ascii" }), { minLength: 1 }), (texts) => {
        const fields = fieldsIn(csvLine(texts));
        expect(fields).toHaveLength(texts.length);
        expect(fields.filter((field) => /^[=+\-@\t\r\n]/.test(field))).toEqual([]);
      }),
    );
  });
});
