import { formatInstant } from "../../src/job/model/instant.ts";
import { HOUR_MILLIS, hourBegin } from "../../src/archive/layout/archive-hour.ts";
import {
  ArchiveAheadError,
  type Archived,
  ErasureNotAppliedError,
  OtherArchiveError,
} from "../../src/archive/write/archive-log.ts";
import { ProjectionBehindError } from "../../src/archive/write/archive-one-hour.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { archiveDatabase } from "../../src/embedded/archive-database.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";
import { count } from "../../src/text/sentence.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { openArchive } from "./open-archive.ts";

/** Archives the closed hours of a database file. */
export async function exportArchive(name: string, database: string): Promise<void> {
  const store = await openArchive(name);
  const progress = showProgress("Archiving hours");
  let hours = 0;
  try {
    const archived = await withDatabase(database, { create: false }, (embedded) =>
      archiveDatabase(embedded, store, { now: Date.now(), onLink: () => progress.at(++hours, hours) }),
    );
    progress.stop();
    remark(describe(name, archived));
  } catch (cause) {
    if (cause instanceof OtherArchiveError) throw new CommandFailure(2, cause.message, { cause });
    if (cause instanceof ErasureNotAppliedError) throw new CommandFailure(1, cause.message, { cause });
    if (cause instanceof ArchiveAheadError) throw new CommandFailure(1, cause.message, { cause });
    if (cause instanceof ProjectionBehindError) throw new CommandFailure(1, cause.message, { cause });
    throw cause;
  } finally {
    progress.stop();
  }
}

function describe(name: string, { hours, through, head }: Archived): string {
  if (through === undefined) return NOTHING;
  const until = formatInstant(hourBegin(through) + HOUR_MILLIS);
  return `Archived ${count(hours, "hour")} to ${name}. It has the log until ${until}; its head is ${head ?? ""}.`;
}

const NOTHING = "Nothing to archive: the log has no closed hour. An hour closes 5 minutes after its end.";
