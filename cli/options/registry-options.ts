import { type Command, Option } from "commander";
import { databaseOption } from "./query-options.ts";

/** Where senders and readers are registered. */
export interface RegistryOptions {
  readonly stack?: string;
  readonly metaTable?: string;
  readonly database: string;
}

export function stackOption(): Option {
  return new Option("--stack <name>", "CloudFormation stack of a deployment on AWS").env("OUTLIVE_STACK");
}

export function addRegistryOptions(command: Command): Command {
  return command
    .addOption(stackOption())
    .addOption(
      new Option("--meta-table <name>", "metadata table of the deployment, if you cannot read its stack").env(
        "OUTLIVE_META_TABLE",
      ),
    )
    .addOption(databaseOption());
}

/** Whether the options name a deployment on AWS, not a database file. */
export function isDeployed({ stack, metaTable }: RegistryOptions): boolean {
  return stack !== undefined || metaTable !== undefined;
}
