import { type Command, InvalidArgumentError, Option } from "commander";
import { decodeClusterName } from "../../src/job/model/ids.ts";
import { addCredentialsOptions, type CredentialsOptions } from "./credentials-options.ts";
import { canBeName } from "./object-name.ts";
import type { ColourChoice } from "../output/paint.ts";

/** Where a command reads. */
export interface SourceOptions extends CredentialsOptions {
  readonly server?: string;
  readonly database: string;
  /** The archive of the database. */
  readonly archive?: string;
}
/** How an answer is printed. */
export interface PrintOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
  readonly color: ColourChoice;
}
const OUTPUT_FORMATS = ["table", "wide", "json", "yaml", "name"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const DEFAULT_DATABASE = "outlive.sqlite";

export function databaseOption(): Option {
  return new Option("--database <file>", "database file").env("OUTLIVE_DATABASE").default(DEFAULT_DATABASE);
}

/** For queries that also answer from the archive. A server has its own. */
export function archiveOption(): Option {
  return new Option("--archive <folder>", "also answer about Jobs that only this archive of the database has").env(
    "OUTLIVE_ARCHIVE",
  );
}

export function colourOption(): Option {
  return new Option("--color <when>", "colour the output (NO_COLOR is respected)")
    .choices(["auto", "always", "never"])
    .default("auto");
}

/** Options of every query. `nameless` replaces `-o name` by an error for answers whose items have no names. */
export function addQueryOptions(command: Command, { nameless }: { readonly nameless?: string } = {}): Command {
  const output = nameless === undefined ? outputOption() : namelessOutputOption(nameless);
  const withServer = addPrintOptions(command, output).addOption(
    new Option("--server <url>", "query this server instead of the database file").env("OUTLIVE_SERVER"),
  );
  return addCredentialsOptions(withServer).addOption(databaseOption());
}

/** Options for how an answer is printed. */
export function addPrintOptions(command: Command, output = outputOption()): Command {
  return command.addOption(output).option("--no-headers", "print tables without a header").addOption(colourOption());
}

export function outputOption(formats: readonly OutputFormat[] = OUTPUT_FORMATS): Option {
  return new Option("-o, --output <format>", "output format").choices(formats).default("table");
}

/** kubectl has `-o name` for everything: the error says why it is missing here. */
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

/** For commands about all clusters: all namespaces, unless one is set. */
export function anyNamespaceOption(description: string): Option {
  return new Option("-n, --namespace <name>", description).env("OUTLIVE_NAMESPACE").argParser(readNamespace);
}

export function clusterOption(description: string): Option {
  return new Option("--cluster <name>", description).env("OUTLIVE_CLUSTER").argParser(readCluster);
}

function readNamespace(text: string): string {
  if (canBeName(text)) return text;
  throw new InvalidArgumentError(`"${text}" is not a valid name of a namespace. Write a name such as default.`);
}

function readCluster(text: string): string {
  if (decodeClusterName(text) !== undefined) return text;
  throw new InvalidArgumentError(
    `"${text}" is not a valid name of a cluster. "outlive clusters" lists the known clusters.`,
  );
}

/** The namespace and the cluster of a Job. */
export interface JobLocationOptions {
  readonly cluster?: string;
  readonly namespace: string;
}

export function addJobLocationOptions(command: Command): Command {
  return command
    .addOption(namespaceOption("namespace of the Job"))
    .addOption(clusterOption("cluster of the Job; required if several are known"));
}
