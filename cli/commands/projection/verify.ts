import type { Command } from "commander";
import { count } from "../../../src/job/text/sentence.ts";
import type { Verified } from "../../../src/upkeep/replay/verify-projection.ts";
import { type UnfinishedCommand, unfinishedCommands } from "../../../src/upkeep/replay/unfinished-commands.ts";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";
import { remark } from "../../output/print-answer.ts";
import { showProgress } from "../../output/progress-bar.ts";
import { addExamples } from "../../../src/host/command-line/add-examples.ts";
import { isRebuilt } from "../../../src/host/embedded/damaged-rows.ts";
import type { DamagedRow } from "../../../src/adapters/sqlite/row-checksums.ts";
import { databaseOption } from "../../options/query-options.ts";
import { withDatabase } from "../../../src/host/embedded/with-database.ts";

export function define(command: Command): void {
  command.addOption(databaseOption()).action(verify);
  addExamples(command, [
    ["outlive verify", "compare every Job of ./outlive.sqlite with a fresh projection of its log"],
  ]);
}

async function verify({ database }: { readonly database: string }): Promise<void> {
  const progress = showProgress("Verifying Jobs");
  let unfinished: readonly UnfinishedCommand[] = [];
  try {
    const damaged: DamagedRow[] = [];
    const verified = await withDatabase(database, { create: false }, async (embedded) => {
      failIfDamaged(database, await embedded.findDamage());
      damaged.push(...(await embedded.findDamagedRows()));
      unfinished = await unfinishedCommands(embedded.meta);
      return embedded.verify({ onProgress: ({ jobs }) => progress.at(jobs, jobs) });
    });
    progress.stop();
    for (const { text } of unfinished) remark(text);
    report(verified, damaged);
    failIfUnfinished(database, unfinished);
  } finally {
    progress.stop();
  }
}

/** Jobs that agree with the log do not show that the log is complete. */
function failIfUnfinished(database: string, unfinished: readonly UnfinishedCommand[]): void {
  if (!unfinished.some(({ affectsAnswers }) => affectsAnswers)) return;
  throw new CommandFailure(1, `Database ${database} is not complete. Finish the command above, then verify again.`);
}

/** A damaged file can give right answers to some queries, so it is checked before the projection. */
function failIfDamaged(database: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  for (const problem of problems) remark(problem);
  throw new CommandFailure(
    1,
    `Database ${database} is damaged: SQLite's integrity_check found ${count(problems.length, "problem")}. ` +
      `Restore a backup, or recover it with "sqlite3 ${database} .recover".`,
  );
}

/** The most mismatches that are listed; the others are only counted. */
const MOST_SHOWN = 20;

const PROBLEMS = {
  missing: "missing, and the log has facts of it",
  different: "different from the facts of the log",
  additional: "no fact of the log states it",
} as const;

function report(verified: Verified, damaged: readonly DamagedRow[]): void {
  const { segments, jobs, removed, mismatches, records, unreadable, acknowledgements } = verified;
  for (const row of damaged.slice(0, MOST_SHOWN)) remark(damageOf(row));
  for (const { key, reason } of unreadable.slice(0, MOST_SHOWN)) remark(`Log item ${key.pk} ${key.sk}: ${reason}`);
  for (const { cluster, jobUid, problem, reason } of mismatches.slice(0, MOST_SHOWN)) {
    remark(`${cluster} ${jobUid}: ${problem}. ${reason}`);
  }
  for (const { kind, key, problem } of records.slice(0, MOST_SHOWN)) {
    remark(`Record ${kind} ${JSON.stringify(key)}: ${PROBLEMS[problem]}.`);
  }
  for (const key of acknowledgements.slice(0, MOST_SHOWN)) {
    remark(`Record acknowledgement ${JSON.stringify(key)}: its checksum is wrong. Acknowledge the entry again.`);
  }
  failIfDifferent(verified);
  failIfLost(damaged.length + unreadable.length + acknowledgements.length);
  if (removed > 0) remark(`Retention has deleted ${count(removed, "Job")} that the log still states.`);
  remark(`Verified ${count(jobs, "Job")} against ${count(segments, "segment")} of the log: no differences.`);
}

function damageOf(row: DamagedRow): string {
  const advice = isRebuilt(row)
    ? '"outlive replay" rebuilds it.'
    : "It does not follow from the log: restore it from a backup, or write it again with its own command.";
  return `Row ${JSON.stringify(row.key.join(" "))} of table ${row.table}: its checksum is wrong. ${advice}`;
}

function failIfDifferent({ jobs, mismatches, records }: Verified): void {
  if (mismatches.length + records.length === 0) return;
  throw new CommandFailure(
    1,
    `${mismatches.length} of ${count(jobs, "Job")} and ${count(records.length, "record")} differ from a fresh ` +
      `projection of the log. "outlive replay" rebuilds them.`,
  );
}

function failIfLost(rows: number): void {
  if (rows === 0) return;
  throw new CommandFailure(
    1,
    `${count(rows, "row")} of the database ${rows === 1 ? "is" : "are"} damaged. See the repairs above.`,
  );
}
