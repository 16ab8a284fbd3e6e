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

/** Whether a file could be read. */
export function isAnswer(answers: string): boolean {
  return answers.startsWith("{");
}

/** The uids of the Jobs about which two files answer differently. Both must be able to answer. */
export function differingJobs(one: string, other: string): readonly string[] {
  const [answers, others] = [answersByJob(one), answersByJob(other)];
  const uids = new Set([...answers.keys(), ...others.keys()]);
  return [...uids].filter((uid) => answers.get(uid)?.join() !== others.get(uid)?.join()).sort();
}

function answersByJob(text: string): ReadonlyMap<string, readonly string[]> {
  const byJob = new Map<string, string[]>();
  const add = (uid: string, answer: unknown) => byJob.set(uid, [...(byJob.get(uid) ?? []), JSON.stringify(answer)]);
  const answers = JSON.parse(text) as Readonly<
    Record<string, { readonly items?: readonly { readonly uid: string }[] }>
  >;
  for (const [path, answer] of Object.entries(answers)) {
    const uid = new URL(path, "http://tracker").searchParams.get("uid");
    if (uid !== null) add(uid, answer);
    else if (path.startsWith("/v1/jobs?")) for (const item of answer.items ?? []) add(item.uid, item);
  }
  return byJob;
}

/** Those of some Jobs that verify does not name. A notice about anything but a Job is about the whole file. */
export function unnamedJobs(noticed: readonly string[], uids: readonly string[]): readonly string[] {
  const named = noticed.map((notice) => /^(?:Job |row (?:jobs|pages)_[ab] \S+ )([^\s:]+)/.exec(notice)?.[1]);
  return named.includes(undefined) ? [] : uids.filter((uid) => !named.includes(uid));
}

/** Opens a file, and closes it after use. */
export async function within<Result>(path: string, use: (embedded: Embedded) => Promise<Result>): Promise<Result> {
  return withDatabase(path, { create: true }, use);
}
