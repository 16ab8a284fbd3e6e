import type { Command } from "commander";
import { remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { databaseOption } from "../options/query-options.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";

export function define(command: Command): void {
  command
    .argument("<file>", "file of the copy; must not exist")
    .addOption(databaseOption())
    .action(async (file: string, { database }: { readonly database: string }) => {
      await withDatabase(database, { create: false }, (embedded) => embedded.backUp(file));
      remark(`Copied ${database} to ${file} and checked the copy.`);
    });
  addExamples(command, [
    ["outlive backup outlive-backup.sqlite", "copy ./outlive.sqlite, also while a server uses it"],
  ]);
}
