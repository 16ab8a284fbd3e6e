import { type Command, Option } from "commander";
import { databaseOption } from "./query-options.ts";

/** The records of a stage on AWS, or of a database file. */
export interface RegistryOptions {
  readonly stage?: string;
  readonly database: string;
}

export function stageOption(): Option {
  return new Option("--stage <name>", "stage of a deployment on AWS").env("OUTLIVE_STAGE");
}

export function addRegistryOptions(command: Command): Command {
  return command.addOption(stageOption()).addOption(databaseOption());
}
