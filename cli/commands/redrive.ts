import { type Command, Option } from "commander";
import { databaseOption } from "../question-options.ts";
import { addExamples, colourOption, outputOption, type PrintOptions } from "../question-options.ts";
import { stackOption } from "../registry-options.ts";

/** What to ingest again. */
export const REDRIVABLE = ["all", "dead-letters", "set-aside"] as const;

export interface RedriveOptions extends PrintOptions {
  readonly stack?: string;
  readonly database: string;
  readonly what: (typeof REDRIVABLE)[number];
}

export function define(command: Command): void {
  command
    .addOption(stackOption())
    .addOption(databaseOption())
    .addOption(
      new Option("--what <messages>", "the dead letters of the queue, what was set aside, or both")
        .choices(REDRIVABLE)
        .default("all"),
    )
    .addOption(outputOption(["table", "json", "yaml"]))
    .option("--no-headers", "print tables without their header line")
    .addOption(colourOption())
    .action(async (options: RedriveOptions) => {
      const { redrive } = await import("../redrive-messages.ts");
      await redrive(options);
    });
  addExamples(command, [
    [
      "outlive redrive --stack Outlive-prod",
      "ingest the dead letters and what was set aside, each as from whom it came first; 1: something failed again",
    ],
    ["outlive redrive --stack Outlive-prod --what set-aside", "after a principal was registered"],
    ["outlive redrive", "the same for what this database file set aside, after a clock was set"],
  ]);
}
