import { afterEach, describe, expect, it, vi } from "vitest";
import { isForPeople, printAnswer, type Printed, remark } from "../../../cli/output/print-answer.ts";
import type { PrintOptions } from "../../../cli/options/query-options.ts";
import { parseCustomColumns } from "../../../cli/output/custom-columns.ts";

const ROWS = [{ name: "report" }, { name: "a,\u001b[2Jb" }];
const ANSWER: Printed<(typeof ROWS)[number]> = {
  document: { items: ROWS, next: { "k\u0007": 1 } },
  rows: ROWS,
  columns: [
    { header: "NAME", cell: ({ name }) => name },
    { header: "SIZE", wide: true, cell: ({ name }) => name.length },
  ],
  name: ({ name }) => `job/${name}`,
};

afterEach(() => vi.restoreAllMocks());

/** What is printed on a stream. */
function printedOn(stream: NodeJS.WriteStream): readonly string[] {
  const texts: string[] = [];
  vi.spyOn(stream, "write").mockImplementation((text) => texts.push(String(text)) > 0);
  return texts;
}

async function printed(output: PrintOptions["output"], headers = true): Promise<string> {
  const texts = printedOn(process.stdout);
  await printAnswer({ output, headers, color: "never" }, ANSWER);
  return texts.join("");
}

describe("an answer", () => {
  it.each<[PrintOptions["output"], string]>([
    ["table", "NAME\nreport\na,\ufffd[2Jb\n"],
    ["wide", "NAME      SIZE\nreport    6\na,\ufffd[2Jb   7\n"],
    ["name", "job/report\njob/a,\ufffd[2Jb\n"],
    ["yaml", "items:\n  - name: report\n  - name: a,\ufffd[2Jb\nnext:\n  k\ufffd: 1\n"],
  ])("is printed as %s", async (output, text) => {
    expect(await printed(output)).toBe(text);
  });

  it("is printed as JSON that programs read back", async () => {
    const text = await printed("json");
    expect(JSON.parse(text)).toEqual(ANSWER.document);
    expect(text).not.toContain("\u001b");
  });

  it("is printed as CSV, with the columns of a wide table", async () => {
    expect((await printed("csv")).split(/\r?\n/).slice(0, 2)).toEqual(["NAME,SIZE", "report,6"]);
  });

  it("is printed in columns of the reader's choice", async () => {
    expect(await printed({ customColumns: parseCustomColumns("N:.name") }, false)).toBe("report\na,\ufffd[2Jb\n");
  });

  it.each<[PrintOptions["output"], boolean]>([
    ["table", true],
    ["wide", true],
    ["json", false],
    ["name", false],
    ["csv", false],
  ])("as %s is for people: %s", (output, isTrue) => {
    expect(isForPeople({ output, headers: true, color: "never" })).toBe(isTrue);
  });
});

describe("a remark", () => {
  it("is printed on standard error, without control characters of the cluster", () => {
    const texts = printedOn(process.stderr);
    remark("Job \u001b[2J is gone.");
    expect(texts).toEqual(["Job \ufffd[2J is gone.\n"]);
  });
});
