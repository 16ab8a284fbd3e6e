import { InvalidArgumentError, Option } from "commander";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { pointAt } from "../../src/query/list/selector-text.ts";
import { parseCustomColumns } from "../output/custom-columns.ts";
import type { Column } from "../output/table.ts";
import { parseTemplate, type Template } from "../output/template/parse-template.ts";

const NAMED = ["table", "wide", "json", "yaml", "name", "csv"] as const;
export type NamedFormat = (typeof NAMED)[number];
const WITH_TEXT = ["jsonpath", "custom-columns"] as const;

export type OutputFormat =
  | NamedFormat
  | { readonly template: Template }
  | { readonly customColumns: readonly Column<unknown>[] };

/** Formats that an answer does not have, each with the reason and what to use instead. */
export type MissingFormats = Readonly<Partial<Record<NamedFormat, string>>>;

/** `-o`. kubectl has `-o name` for everything: where it is missing, the error says why. */
export function outputOption(missing: MissingFormats = {}): Option {
  const formats = NAMED.filter((format) => missing[format] === undefined);
  const choices = [...formats, ...WITH_TEXT.map((format) => `${format}=`)];
  return new Option("-o, --output <format>", "output format; jsonpath=TEMPLATE, custom-columns=NAME:PATH,...")
    .choices(choices)
    .default("table")
    .argParser(
      asArgument((text: string): OutputFormat => {
        const named = NAMED.find((format) => format === text);
        const reason = named && missing[named];
        if (reason !== undefined) throw new InvalidArgumentError(reason);
        return named ?? readFormatWithText(text, formats);
      }),
    );
}

function readFormatWithText(text: string, formats: readonly NamedFormat[]): OutputFormat {
  const [name, ...rest] = text.split("=");
  const argument = rest.join("=");
  const known = WITH_TEXT.find((format) => format === name);
  if (known === undefined) {
    throw new CommandFailure(
      2,
      `Allowed choices are ${[...formats, "jsonpath=TEMPLATE", "custom-columns=NAME:PATH,..."].join(", ")}.`,
    );
  }
  if (argument === "") throw new CommandFailure(2, EMPTY[known]);
  return known === "jsonpath" ? { template: templateOf(argument) } : { customColumns: parseCustomColumns(argument) };
}

const EMPTY = {
  jsonpath: "The template is missing. Write jsonpath='{.items[*].name}'.",
  "custom-columns": "The columns are missing. Write custom-columns=NAME:.name,STATE:.verdict.state.",
} as const;

function templateOf(text: string): Template {
  const parsed = parseTemplate(text);
  if (parsed.outcome === "parsed") return parsed.selector;
  throw new CommandFailure(2, `Invalid template: ${pointAt(text, parsed)}.`);
}
