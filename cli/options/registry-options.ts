import { type Command, InvalidArgumentError, Option } from "commander";
import { STAGE_NAME } from "../../src/ports/deployment/parameter-names.ts";
import { databaseOption } from "./query-options.ts";

/** The records of a stage on AWS, or of a database file. */
export interface RegistryOptions {
  readonly stage?: string;
  readonly database: string;
}

export function stageOption(): Option {
  return new Option("--stage <name>", "stage of a deployment on AWS").env("OUTLIVE_STAGE").argParser(readStage);
}

function readStage(text: string): string {
  if (STAGE_NAME.test(text)) return text;
  throw new InvalidArgumentError("Write the name of a stage, such as live: 1 to 16 of a-z, 0-9 and -, a letter first.");
}

export function addRegistryOptions(command: Command): Command {
  return command.addOption(stageOption()).addOption(databaseOption());
}
