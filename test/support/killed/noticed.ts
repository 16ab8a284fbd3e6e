import type { Embedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { withDatabase } from "../../../src/host/embedded/with-database.ts";
import { unfinishedCommands } from "../../../src/upkeep/replay/unfinished-commands.ts";
import { allAnswers } from "./all-answers.ts";

/** What `outlive verify` says about a file; empty if it accepts the file. */
export async function noticedIn(path: string): Promise<readonly string[]> {
  return within(path, async (embedded) => {
    const pages = await embedded.findDamage();
    if (pages.length > 0) return pages;
    const rows = (await embedded.findDamagedRows()).map(({ table, key }) => `row ${table} ${key.join(" ")}`);
    const { mismatches, records, unreadable } = await embedded.verify();
    const unfinished = (await unfinishedCommands(embedded.meta)).filter(({ affectsAnswers }) => affectsAnswers);
    return [
      ...rows,
      ...mismatches.map(({ jobUid, problem }) => `Job ${jobUid}: ${problem}`),
      ...records.map(({ kind, key, problem }) => `record ${kind} ${key}: ${problem}`),
      ...unreadable.map(({ key }) => `log item ${key.pk} ${key.sk}`),
      ...unfinished.map(({ command }) => `unfinished ${command}`),
    ];
  }).catch((cause: unknown) => [`fails: ${String(cause)}`]);
}

/** All answers of a file as text, or the error of its reader. */
export async function answersOf(path: string): Promise<string> {
  return within(path, async (embedded) => JSON.stringify(await allAnswers(embedded))).catch(
    (cause: unknown) => `fails: ${String(cause)}`,
  );
}

/** Opens a file, and closes it after use. */
export async function within<Result>(path: string, use: (embedded: Embedded) => Promise<Result>): Promise<Result> {
  return withDatabase(path, { create: true }, use);
}
