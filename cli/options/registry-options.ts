import { type Command, Option } from "commander";
import { databaseOption } from "./query-options.ts";

/** Where it is written down who may speak and who may ask. */
export interface RegistryOptions {
  readonly stack?: string;
  readonly metaTable?: string;
  readonly database: string;
}

export function stackOption(): Option {
  return new Option("--stack <name>", "the deployment on AWS, by the name of its CloudFormation stack").env(
    "OUTLIVE_STACK",
  );
}

export function addRegistryOptions(command: Command): Command {
  return command
    .addOption(stackOption())
    .addOption(
      new Option("--meta-table <name>", "the deployment's table of records, where its stack cannot be read").env(
        "OUTLIVE_META_TABLE",
      ),
    )
    .addOption(databaseOption());
}

/** Whether a deployment on AWS is meant, and not a database file. */
export function isDeployed({ stack, metaTable }: RegistryOptions): boolean {
  return stack !== undefined || metaTable !== undefined;
}
