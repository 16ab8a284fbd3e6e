import { Command } from "commander";
import { define } from "../cli/commands/export.ts";
import { CommandFailure } from "../cli/failure.ts";
import { reportFailure } from "../cli/report-failure.ts";

/** The container's entry: `outlive export`, and nothing else. */
const command = new Command("outlive-exporter");
define(command);
command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
try {
  await command.parseAsync();
  process.exit(0);
} catch (error) {
  reportFailure(error, { stack: !(error instanceof CommandFailure) });
  process.exit(error instanceof CommandFailure ? error.exitStatus : 1);
}
