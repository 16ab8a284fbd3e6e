import { type Command, Option } from "commander";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";

/** Text that stays in the cluster unless these flags are given (docs/facts.md). */
export interface TextFlags {
  readonly includeMessages?: boolean | undefined;
  readonly includeNames?: boolean | undefined;
}

export function addTextOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--include-messages",
        "keep the text of Events, conditions and waiting containers; it may contain program output and secrets",
      ).env("OUTLIVE_INCLUDE_MESSAGES"),
    )
    .addOption(
      new Option("--include-names", "keep the names of missing ConfigMaps, Secrets, ServiceAccounts and claims").env(
        "OUTLIVE_INCLUDE_NAMES",
      ),
    );
}

export function textOptionsOf({ includeMessages, includeNames }: TextFlags): Omit<TextOptions, "containerMessages"> {
  return { messages: includeMessages === true, names: includeNames === true };
}
