import { formatInstant } from "../../src/job/model/instant.ts";
import { HOUR_MILLIS, hourBegin } from "../../src/archive/layout/archive-hour.ts";
import {
  ArchiveAheadError,
  type Archived,
  ErasureNotAppliedError,
  HourArchivedError,
  OtherArchiveError,
} from "../../src/archive/write/archive-log.ts";
import { ProjectionBehindError } from "../../src/archive/write/archive-one-hour.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { archiveDatabase } from "../../src/host/embedded/archive-database.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { openArchive } from "./open-archive.ts";

export interface ExportOptions {
  readonly database: string;
  /** Whether the hours that are not closed are archived, too. @default false */
  readonly now?: boolean;
}

/** Archives the closed hours of a database file, or all hours until now. */
export async function exportArchive(name: string, { database, now: untilNow = false }: ExportOptions): Promise<void> {
  const store = await openArchive(name);
  const progress = showProgress("Archiving hours");
  const now = Date.now();
  let hours = 0;
  try {
    const archived = await withDatabase(database, { create: false }, (embedded) =>
      archiveDatabase(embedded, store, { now, untilNow, onLink: () => progress.at(++hours, hours) }),
    );
    progress.stop();
    remark(describe(name, { ...archived, now, untilNow }));
  } catch (cause) {
    if (cause instanceof OtherArchiveError) throw new CommandFailure(2, cause.message, { cause });
    if (cause instanceof ErasureNotAppliedError) throw new CommandFailure(1, cause.message, { cause });
    if (cause instanceof ArchiveAheadError || cause instanceof HourArchivedError) {
      throw new CommandFailure(1, cause.message, { cause });
    }
    if (cause instanceof ProjectionBehindError) throw new CommandFailure(1, cause.message, { cause });
    throw cause;
  } finally {
    progress.stop();
  }
}

function describe(name: string, { hours, through, head, now, untilNow }: Exported): string {
  if (through === undefined) return untilNow ? EMPTY : NOTHING_CLOSED;
  const end = hourBegin(through) + HOUR_MILLIS;
  const has =
    end > now && !untilNow
      ? `has the hour ${formatInstant(hourBegin(through))}, which has not ended: what was added since belongs to the
      next`
      : `has the log until ${formatInstant(Math.min(end, now))}`;
  return `Archived ${count(hours, "hour")} to ${name}. It ${has}; its head is ${head ?? ""}.`;
}

interface Exported extends Archived {
  readonly now: number;
  readonly untilNow: boolean;
}

const EMPTY = "Nothing to archive: the log is empty.";
const NOTHING_CLOSED =
  "Nothing to archive: the log has no closed hour. An hour closes 5 minutes after its end. If nothing will be added, " +
  "archive it with --now.";
