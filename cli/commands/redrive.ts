import { type Command, Option } from "commander";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addPrintOptions, databaseOption, outputOption } from "../options/query-options.ts";
import { REDRIVABLE, type RedriveOptions } from "../options/redrive-options.ts";
import { stackOption } from "../options/registry-options.ts";

export function define(command: Command): void {
  command
    .addOption(stackOption())
    .addOption(databaseOption())
    .addOption(
      new Option("--what <messages>", "the dead letters of the queue, what was set aside, or both")
        .choices(REDRIVABLE)
        .default("all"),
    )
    .action(async (options: RedriveOptions) => {
      const { redrive } = await import("../redrive/redrive-messages.ts");
      await redrive(options);
    });
  addPrintOptions(command, outputOption(["table", "json", "yaml"]));
  addExamples(command, [
    [
      "outlive redrive --stack Outlive-prod",
      "ingest the dead letters and what was set aside, each as from whom it came first; 1: something failed again",
    ],
    ["outlive redrive --stack Outlive-prod --what set-aside", "after a principal was registered"],
    ["outlive redrive", "the same for what this database file set aside, after a clock was set"],
  ]);
}
