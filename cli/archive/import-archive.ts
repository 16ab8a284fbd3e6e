import { ManifestInvalidError } from "../../src/archive/layout/chain.ts";
import { ArchiveDamagedError } from "../../src/archive/read/archived-segments.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { LONG_BUSY_MILLIS } from "../../src/host/embedded/embedded-tracker.ts";
import { type ImportedArchive, importArchive } from "../../src/host/embedded/import-archive.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { type ArchiveLocation, openExistingArchive } from "./open-archive.ts";

/** Rebuilds a new database file from an archive. */
export async function importArchiveInto(location: ArchiveLocation, database: string): Promise<void> {
  const store = await openExistingArchive(location);
  const progress = showProgress("Importing segments");
  try {
    const imported = await withDatabase(database, { create: true, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
      importArchive(embedded, store, (segments) => progress.at(segments, segments)),
    );
    progress.stop();
    report(imported, { name: store.name, database });
  } catch (cause) {
    const isDamaged = cause instanceof ArchiveDamagedError || cause instanceof ManifestInvalidError;
    throw isDamaged ? new CommandFailure(1, cause.message, { cause }) : cause;
  } finally {
    progress.stop();
  }
}

function report(
  imported: ImportedArchive,
  { name, database }: { readonly name: string; readonly database: string },
): void {
  if (imported.outcome === "notEmpty") {
    throw new CommandFailure(2, `Database ${database} has a log already. Name a new file with --database.`);
  }
  const { segments, unreadable, rebuilt } = imported;
  if (unreadable > 0 || rebuilt.outcome !== "switched") {
    throw new CommandFailure(
      1,
      `${database} is not complete: ${count(unreadable, "segment")} of ${name} cannot be read or projected. ` +
        "Update Outlive, then import into a new file.",
    );
  }
  remark(`Imported ${count(segments, "segment")} of ${name} into ${database}.`);
}
