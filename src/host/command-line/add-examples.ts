import type { Command } from "commander";

/** Adds examples below the options in a command's help: pairs of a command line and what it does. */
export function addExamples(command: Command, examples: readonly (readonly [string, string])[]): Command {
  const lines = examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`).join("\n\n");
  return command.addHelpText("after", `\nExamples:\n${lines}`);
}
