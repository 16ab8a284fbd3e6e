import { existsSync, renameSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { type CopiedLog, copyWithoutMessages } from "../../src/host/embedded/copy-without-messages.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { partialName, removeDatabase } from "../../src/adapters/sqlite/backup.ts";
import { count } from "../../src/job/text/sentence.ts";
import { addCredentialsOptions, type CredentialsOptions } from "../options/credentials-options.ts";
import { databaseOption } from "../options/query-options.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { type BackupPlace, isBackupPlace, openBackupPlace } from "./backup-place.ts";
import { receiveBackup } from "./receive-backup.ts";

interface BackupOptions extends CredentialsOptions {
  readonly database: string;
  readonly server?: string;
  readonly keep?: number;
  readonly withoutMessages?: true;
}

export function define(command: Command): void {
  const described = command
    .argument("<target>", "file of the copy, which must not exist; or a folder (DIR/ or s3://BUCKET/FOLDER) for it")
    .addOption(databaseOption())
    .option("--server <url>", "copy the database of this server, without access to its files")
    .addOption(
      new Option("--keep <number>", "delete all but this many copies in the folder (default: keep all)").argParser(
        readKeep,
      ),
    )
    .addOption(
      new Option(
        "--without-messages",
        "leave out the text of messages, which may contain program output and Secret names",
      ).conflicts(["server", "keep"]),
    );
  addCredentialsOptions(described).action(backup);
  addExamples(command, [
    ["outlive backup outlive-backup.sqlite", "copy ./outlive.sqlite, also while a server uses it"],
    ["outlive backup scrubbed.sqlite --without-messages", "copy it without texts of messages, and count those it has"],
    ["outlive backup /backups/ --keep 7", "add a copy, named by the time, and delete all but the last 7"],
    [
      "outlive backup s3://BUCKET/outlive --server http://outlive:8080 --token-file token",
      "copy the database of a server to S3",
    ],
  ]);
}

function readKeep(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1 to 9999.");
}

async function backup(target: string, options: BackupOptions): Promise<void> {
  if (options.withoutMessages === true) return copyTo(target, options.database);
  if (isBackupPlace(target)) return backUpInto(await openBackupPlace(target), options);
  if (options.keep !== undefined) throw new CommandFailure(2, "--keep needs a folder: DIR/ or s3://BUCKET/FOLDER.");
  remark(`Copied ${await copyFrom(options, target)} to ${target} and checked the copy.`);
}

async function backUpInto(place: BackupPlace, options: BackupOptions): Promise<void> {
  let source = "";
  const name = await place.add(new Date(), async (file) => {
    source = await copyFrom(options, file);
  });
  remark(`Copied ${source} to ${place.name}/${name} and checked the copy.`);
  const { keep } = options;
  if (keep === undefined) return;
  // The clock may have been wrong once: a copy of the future is not a reason to delete the new one.
  const others = (await place.list()).filter((each) => each !== name);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const each of old) await place.remove(each);
  if (old.length > 0) remark(`Deleted ${count(old.length, "older backup")}.`);
}

/** Writes a checked copy to `file`. Returns the name of what was copied. */
async function copyFrom({ server, database, ...credentials }: BackupOptions, file: string): Promise<string> {
  if (server !== undefined) return receiveBackup({ server, credentials, file });
  await withDatabase(database, { create: false }, (embedded) => embedded.backUp(file));
  return database;
}

/** An interrupted copy does not look like a complete one. */
async function copyTo(file: string, database: string): Promise<void> {
  if (existsSync(file)) throw new CommandFailure(2, `${file} exists. Choose another name, or delete it.`);
  const partial = partialName(file);
  const progress = showProgress("Copying segments");
  const copied = await withDatabase(database, { create: false }, async (from) => {
    const to = openEmbedded(partial);
    try {
      return await copyWithoutMessages(from, to, (segments) => progress.at(segments, segments));
    } finally {
      to.close();
      progress.stop();
    }
  }).catch((error: unknown) => {
    removeDatabase(partial);
    throw error;
  });
  report(copied, { database, file, partial });
  renameSync(partial, file);
}

function report(
  { segments, withMessages, unreadable, rebuilt }: CopiedLog,
  { database, file, partial }: Record<"database" | "file" | "partial", string>,
): void {
  if (rebuilt.outcome !== "switched" || unreadable > 0) {
    throw new CommandFailure(
      1,
      `The copy of ${database} is not complete: ${count(unreadable, "segment")} cannot be read. ` +
        `Check it with "outlive verify". The incomplete copy is ${partial}.`,
    );
  }
  const had = withMessages === 1 ? "1 of them had" : `${withMessages} of them had`;
  remark(`Copied ${count(segments, "segment")} of ${database} to ${file}; ${had} texts of messages.`);
  if (withMessages > 0) remark(`${database} still has these texts. Use ${file} instead, and delete ${database}.`);
}
