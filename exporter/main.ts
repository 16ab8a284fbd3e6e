import { Command } from "commander";
import { defineExport } from "../src/host/exporter/export-command.ts";
import { CommandFailure } from "../src/host/command-line/command-failure.ts";
import { reportFailure } from "../src/host/command-line/report-failure.ts";

/** The entry point of the container image, which runs only `outlive export`. */
const command = new Command("outlive-exporter");
defineExport(command);
command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
try {
  await command.parseAsync();
  process.exit(0);
} catch (error) {
  reportFailure(error, { stack: !(error instanceof CommandFailure) });
  process.exit(error instanceof CommandFailure ? error.exitStatus : 1);
}
