import { type Command, InvalidArgumentError, Option } from "commander";
import { decodeClusterName } from "../../src/job/model/ids.ts";
import { addCredentialsOptions, type CredentialsOptions } from "./credentials-options.ts";
import { canBeName } from "./object-name.ts";
import { type MissingFormats, type OutputFormat, outputOption } from "./output-format.ts";
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

/** Options of every query. `missing` are formats that its answer does not have. */
export function addQueryOptions(command: Command, missing: MissingFormats = {}): Command {
  return addSourceOptions(addPrintOptions(command, outputOption(missing)));
}

/** Options for where a command reads. */
export function addSourceOptions(command: Command): Command {
  const withServer = command.addOption(
    new Option("--server <url>", "query this server instead of the database file").env("OUTLIVE_SERVER"),
  );
  return addCredentialsOptions(withServer).addOption(databaseOption());
}

/** Options for how an answer is printed. */
export function addPrintOptions(command: Command, output = outputOption()): Command {
  return command.addOption(output).option("--no-headers", "print tables without a header").addOption(colourOption());
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
