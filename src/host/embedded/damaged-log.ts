import type { LogKey } from "../../ports/log.ts";
import { readLogItem } from "../../projection/log-segment.ts";
import type { LogStores } from "../../upkeep/replay/log-begins.ts";
import { logDayOf, readWholeDay } from "../../log/read-log.ts";
import type { Database } from "../../adapters/sqlite/database.ts";
import { findDamage, findDamagedRows } from "../../adapters/sqlite/integrity.ts";
import { count } from "../../job/text/sentence.ts";

/** The log has damage that would hide facts from a replay. Nothing was changed. */
class LogDamagedError extends Error {
  override readonly name = "LogDamagedError";

  constructor(problems: readonly string[]) {
    const more = problems.length - MOST_NAMED;
    const named = problems.slice(0, MOST_NAMED).map((problem) => `  ${problem}\n`);
    if (more > 0) named.push(`  and ${count(more, "further problem")}\n`);
    super(
      "Cannot replay: the log is damaged, and the rebuilt Jobs would lack its facts. The earlier projection still " +
        `answers.\n${named.join("")}` +
        'Restore a backup. To lose what only these rows state, repeat the command with --despite "REASON".',
    );
  }
}

/** The most problems that the error names. */
const MOST_NAMED = 20;

/**
 * Throws LogDamagedError if SQLite finds damage in the log's table or index, a row has a wrong checksum, or a segment
 * cannot be read. A damaged key hides a row from all who read the log by day.
 */
export async function failIfLogIsDamaged(database: Database, stores: LogStores): Promise<void> {
  const pages = await findDamage(database, "log");
  if (pages.length > 0) throw new LogDamagedError(pages);
  const damaged = (await findDamagedRows(database, "log")).map(({ key }) => key.join(" "));
  const unreadable = (await unreadableSegments(stores)).filter(({ key }) => !damaged.includes(nameOf(key)));
  const problems = [
    ...damaged.map((key) => `Row ${JSON.stringify(key)}: its checksum is wrong.`),
    ...unreadable.map(({ key, reason }) => `Row ${JSON.stringify(nameOf(key))}: ${reason}`),
  ];
  if (problems.length > 0) throw new LogDamagedError(problems);
}

function nameOf({ pk, sk }: LogKey): string {
  return `${pk} ${sk}`;
}

interface Unreadable {
  readonly key: LogKey;
  readonly reason: string;
}

/** The segments that cannot be decoded, also those of days that no record names. */
async function unreadableSegments({ log }: LogStores): Promise<readonly Unreadable[]> {
  const unreadable: Unreadable[] = [];
  for (const pk of (await log.partitions?.()) ?? []) {
    const day = logDayOf(pk);
    if (day === undefined) continue;
    for await (const items of readWholeDay(log, day)) {
      for (const item of items) {
        const read = readLogItem(item);
        if (read.outcome === "unreadable") unreadable.push({ key: item.key, reason: read.reason });
      }
    }
  }
  return unreadable;
}
