import { type Command, InvalidArgumentError, Option } from "commander";
import { decodeClusterName } from "../../src/job/model/ids.ts";
import { addCredentialsOptions, type CredentialsOptions } from "./credentials-options.ts";
import { canBeName } from "./object-name.ts";
import type { ColourChoice } from "../output/paint.ts";

/** Where a question goes to. */
export interface SourceOptions extends CredentialsOptions {
  readonly server?: string;
  readonly database: string;
}
/** How its answer is printed. */
export interface PrintOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
  readonly color: ColourChoice;
}
const OUTPUT_FORMATS = ["table", "wide", "json", "yaml", "name"] as const;
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

/** Options of every question: which source to ask, and how to print. `nameless` says why nothing in the answer has a name, and what to ask instead. */
export function addQueryOptions(command: Command, { nameless }: { readonly nameless?: string } = {}): Command {
  const output = nameless === undefined ? outputOption() : namelessOutputOption(nameless);
  const asked = addPrintOptions(command, output).addOption(
    new Option("--server <url>", "ask this server instead of the database file").env("OUTLIVE_SERVER"),
  );
  return addCredentialsOptions(asked).addOption(databaseOption());
}

/** How an answer is printed, by whatever command. */
export function addPrintOptions(command: Command, output = outputOption()): Command {
  return command
    .addOption(output)
    .option("--no-headers", "print tables without their header line")
    .addOption(colourOption());
}

export function outputOption(formats: readonly OutputFormat[] = OUTPUT_FORMATS): Option {
  return new Option("-o, --output <format>", "how to print the answer").choices(formats).default("table");
}

/** Who is used to `-o name` from kubectl is told why it is not there. */
function namelessOutputOption(nameless: string): Option {
  const option = outputOption(OUTPUT_FORMATS.filter((format) => format !== "name"));
  const { parseArg } = option;
  return option.argParser((text, previous) => {
    if (text === "name") throw new InvalidArgumentError(nameless);
    return parseArg?.(text, previous);
  });
}

export function namespaceOption(description: string): Option {
  return new Option("-n, --namespace <name>", description)
    .env("OUTLIVE_NAMESPACE")
    .default("default")
    .argParser(readNamespace);
}

/** For commands about the whole fleet: all namespaces, unless one is set. */
export function anyNamespaceOption(description: string): Option {
  return new Option("-n, --namespace <name>", description).env("OUTLIVE_NAMESPACE").argParser(readNamespace);
}

export function clusterOption(description: string): Option {
  return new Option("--cluster <name>", description).env("OUTLIVE_CLUSTER").argParser(readCluster);
}

function readNamespace(text: string): string {
  if (canBeName(text)) return text;
  throw new InvalidArgumentError(`No namespace is called "${text}": name one, such as default.`);
}

function readCluster(text: string): string {
  if (decodeClusterName(text) !== undefined) return text;
  throw new InvalidArgumentError(
    `"${text}" cannot be a cluster's name; "outlive clusters" lists those that are known.`,
  );
}

/** Which namespace of which cluster a Job is looked for in. */
export interface JobLocationOptions {
  readonly cluster?: string;
  readonly namespace: string;
}

export function addJobLocationOptions(command: Command): Command {
  return command
    .addOption(namespaceOption("the Job's namespace"))
    .addOption(clusterOption("the Job's cluster, where several are known"));
}
