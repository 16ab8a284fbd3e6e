import { existsSync, renameSync, rmSync } from "node:fs";
import type { Command } from "commander";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { databaseOption } from "../options/query-options.ts";
import { type CopiedLog, copyWithoutMessages } from "../../src/host/embedded/copy-without-messages.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { count } from "../../src/job/text/sentence.ts";

interface BackupOptions {
  readonly database: string;
  readonly withoutMessages?: true;
}

export function define(command: Command): void {
  command
    .argument("<file>", "file of the copy; must not exist")
    .addOption(databaseOption())
    .option("--without-messages", "leave out the text of messages, which may contain program output and Secret names")
    .action(async (file: string, { database, withoutMessages }: BackupOptions) => {
      if (withoutMessages === true) return copyTo(file, database);
      await withDatabase(database, { create: false }, (embedded) => embedded.backUp(file));
      remark(`Copied ${database} to ${file} and checked the copy.`);
    });
  addExamples(command, [
    ["outlive backup outlive-backup.sqlite", "copy ./outlive.sqlite, also while a server uses it"],
    ["outlive backup scrubbed.sqlite --without-messages", "copy it without texts of messages, and count those it has"],
  ]);
}

/** An interrupted copy does not look like a complete one. */
async function copyTo(file: string, database: string): Promise<void> {
  if (existsSync(file)) throw new CommandFailure(2, `${file} exists. Choose another name, or delete it.`);
  const partial = `${file}.partial`;
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${partial}${ending}`, { force: true });
  const progress = showProgress("Copying segments");
  const copied = await withDatabase(database, { create: false }, async (from) => {
    const to = openEmbedded(partial);
    try {
      return await copyWithoutMessages(from, to, (segments) => progress.at(segments, segments));
    } finally {
      to.close();
      progress.stop();
    }
  });
  report(copied, { database, file });
  renameSync(partial, file);
}

function report(
  { segments, withMessages, unreadable, rebuilt }: CopiedLog,
  { database, file }: { readonly database: string; readonly file: string },
): void {
  if (rebuilt.outcome !== "switched" || unreadable > 0) {
    throw new CommandFailure(
      1,
      `The copy of ${database} is not complete: ${count(unreadable, "segment")} cannot be read. ` +
        `Check it with "outlive verify". The incomplete copy is ${file}.partial.`,
    );
  }
  const had = withMessages === 1 ? "1 of them had" : `${withMessages} of them had`;
  remark(`Copied ${count(segments, "segment")} of ${database} to ${file}; ${had} texts of messages.`);
  if (withMessages > 0) remark(`${database} still has these texts. Use ${file} instead, and delete ${database}.`);
}
