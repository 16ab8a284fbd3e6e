import { paintFor } from "./paint.ts";
import { escapeControls, replaceControls, terminalText } from "../../src/job/text/terminal-text.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { formatCsv } from "./csv.ts";
import { type Column, formatTable } from "./table.ts";
import { printTemplate } from "./template/print-template.ts";

/** How one kind of answer is printed in each format. */
export interface Printed<Row> {
  /** The document for `-o json` and `-o yaml`. */
  readonly document: unknown;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** A row as `-o name` prints it. */
  readonly name: (row: Row) => string;
  /** What `-o custom-columns` prints, where rows are no objects. @default rows */
  readonly objects?: readonly unknown[];
}

/** Prints an answer on standard output, in the format of the options. */
export async function printAnswer<Row>(options: PrintOptions, answer: Printed<Row>): Promise<void> {
  process.stdout.write(await formatAnswer(options, answer));
}

async function formatAnswer<Row>(
  options: PrintOptions,
  { document, rows, columns, name, objects = rows }: Printed<Row>,
): Promise<string> {
  const { output } = options;
  const printing = {
    headers: options.headers,
    wide: output === "wide",
    paint: paintFor(options.color, process.stdout),
  };
  if (typeof output === "object") {
    return "template" in output
      ? printTemplate(output.template, { document, current: document })
      : formatTable(objects, output.customColumns, printing);
  }
  switch (output) {
    case "json":
      return `${escapeControls(JSON.stringify(document, undefined, 2))}\n`;
    case "yaml":
      return formatYaml(document);
    case "name":
      return rows.map((row) => `${terminalText(name(row))}\n`).join("");
    case "table":
    case "wide":
      return formatTable(rows, columns, printing);
    case "csv":
      return formatCsv(rows, columns, printing);
  }
}

async function formatYaml(document: unknown): Promise<string> {
  const { stringify } = await import("./yaml-library.ts");
  return stringify(withoutControls(document), { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Keys too can be text from a cluster, such as the keys of labels. */
function withoutControls(value: unknown): unknown {
  if (typeof value === "string") return replaceControls(value);
  if (Array.isArray(value)) return value.map(withoutControls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [replaceControls(key), withoutControls(item)]));
}

/** Whether people read the output. They get a sentence for an empty list; programs get an empty document. */
export function isForPeople({ output }: PrintOptions): boolean {
  return output === "table" || output === "wide";
}

/** Prints a sentence for people on standard error, which a pipe leaves out. It may contain text from a cluster. */
export function remark(text: string): void {
  process.stderr.write(`${replaceControls(text)}\n`);
}
