import { type Command, Option } from "commander";
import type { ColourChoice } from "./paint.ts";

/** Where a question goes to. */
export interface SourceOptions {
  readonly server?: string;
  readonly token?: string;
  readonly database: string;
}
/** How its answer is printed. */
export interface PrintOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
  readonly color: ColourChoice;
}
export const OUTPUT_FORMATS = ["table", "wide", "json", "yaml", "name"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const DEFAULT_DATABASE = "outlive.sqlite";

export function databaseOption(): Option {
  return new Option("--database <file>", "the database file").env("OUTLIVE_DATABASE").default(DEFAULT_DATABASE);
}

export function colourOption(): Option {
  return new Option("--color <when>", "colour the output (NO_COLOR is heeded)")
    .choices(["auto", "always", "never"])
    .default("auto");
}

/** Options of every question: which source to ask, and how to print. */
export function addQuestionOptions(command: Command, formats: readonly OutputFormat[] = OUTPUT_FORMATS): Command {
  return command
    .addOption(new Option("-o, --output <format>", "how to print the answer").choices(formats).default("table"))
    .option("--no-headers", "print tables without their header line")
    .addOption(colourOption())
    .addOption(new Option("--server <url>", "ask this server instead of the database file").env("OUTLIVE_SERVER"))
    .addOption(new Option("--token <token>", "the server's token").env("OUTLIVE_TOKEN"))
    .addOption(databaseOption());
}

/** Which namespace of which cluster a Job is looked for in. */
export interface PlaceOptions {
  readonly cluster?: string;
  readonly namespace: string;
}

export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(new Option("-n, --namespace <name>", "the Job's namespace").env("OUTLIVE_NAMESPACE").default("default"))
    .addOption(new Option("--cluster <name>", "the Job's cluster, where several are known").env("OUTLIVE_CLUSTER"));
}

/** Text below a command's options: what to type, from what was tried. */
export function addExamples(command: Command, examples: readonly (readonly [string, string])[]): Command {
  const lines = examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`).join("\n\n");
  return command.addHelpText("after", `\nExamples:\n${lines}`);
}
