import { type Command, Option } from "commander";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { outputOption } from "../options/output-format.ts";
import { addPrintOptions, databaseOption } from "../options/query-options.ts";
import { REDRIVABLE, type RedriveOptions } from "../options/redrive-options.ts";
import { stageOption } from "../options/registry-options.ts";

export function define(command: Command): void {
  command
    .addOption(stageOption())
    .addOption(databaseOption())
    .addOption(
      new Option("--what <messages>", "messages to ingest again: dead letters of the queue, set-aside messages, or all")
        .choices(REDRIVABLE)
        .default("all"),
    )
    .action(async (options: RedriveOptions) => {
      const { redrive } = await import("../redrive/redrive-messages.ts");
      await redrive(options);
    });
  addPrintOptions(command, outputOption({ name: NAMELESS, wide: "The table has no further columns. Use table." }));
  addExamples(command, [
    ["outlive redrive --stage prod", "ingest dead letters and set-aside messages again, with their original senders"],
    [
      "outlive redrive --stage prod --what set-aside",
      "ingest set-aside messages only, for example after you register a sender",
    ],
    ["outlive redrive", "ingest the set-aside messages of the database file"],
  ]);
}

const NAMELESS = "Messages have no names. Use table, json, yaml or csv.";
