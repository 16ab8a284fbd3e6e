import { listDecoded, readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { type NotedCommand, type UnfinishedRecord, unfinishedRecord } from "../../ports/records/unfinished-record.ts";
import { ERASURES_KEY, UNFINISHED_KEY } from "../../ports/meta-key.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import { erasureRecord } from "../../log/erasure/erasure-record.ts";
import { readCheckpoint } from "./stored-checkpoint.ts";

/**
 * The one rule for commands that write in several steps (decision 0049). Either the last step is one write that lets
 * readers see all of it, or a record says from before the first write until after the last one that the command is not
 * finished. For a replay this record is its checkpoint, for an erasure its own record, and for every other command a
 * note in this one. After a kill, the same command continues.
 */
export interface UnfinishedCommand {
  readonly command: NotedCommand["command"] | "erase" | "replay";
  /** Whether answers may lack data, or still contain erased data, until the command has finished. */
  readonly affectsAnswers: boolean;
  /** A sentence for display, and what to do. */
  readonly text: string;
}

/** Records a command before its first write. Repeating this changes nothing. */
export async function noteBegun(meta: MetaStore, begun: NotedCommand): Promise<void> {
  await change(meta, (commands) =>
    commands.some((one) => isSame(one, begun)) ? undefined : [...commands, { command: begun.command, of: begun.of }],
  );
}

/** Ends the note after the last write. */
export async function noteFinished(meta: MetaStore, finished: NotedCommand): Promise<void> {
  await change(meta, (commands) => {
    const left = commands.filter((one) => !isSame(one, finished));
    return left.length === commands.length ? undefined : left;
  });
}

/** Whether a command was begun and has not finished: it was killed, or is still running. */
export async function isUnfinished(meta: MetaStore, command: NotedCommand): Promise<boolean> {
  return (await notedCommands(meta)).some((one) => isSame(one, command));
}

function isSame(one: NotedCommand, other: NotedCommand): boolean {
  return one.command === other.command && one.of === other.of;
}

type Commands = UnfinishedRecord["commands"];

async function change(meta: MetaStore, next: (commands: Commands) => Commands | undefined): Promise<void> {
  const stored = await readRecord(meta, unfinishedRecord, UNFINISHED_KEY);
  const commands = next(stored?.value.commands ?? []);
  if (commands === undefined) return;
  const write = { key: UNFINISHED_KEY, value: { commands }, expected: stored?.version ?? 0 };
  const written = await writeRecord(meta, unfinishedRecord, write);
  if (written.outcome === "conflict") await change(meta, next);
}

async function notedCommands(meta: MetaStore): Promise<Commands> {
  return (await readRecord(meta, unfinishedRecord, UNFINISHED_KEY))?.value.commands ?? [];
}

/** Every command that was begun and has not finished: it was killed, or is still running. */
export async function unfinishedCommands(meta: MetaStore): Promise<readonly UnfinishedCommand[]> {
  return [...(await unfinishedAnswers(meta)), ...(await unfinishedReplay(meta))];
}

/** Those that change what answers say. */
export async function unfinishedAnswers(meta: MetaStore): Promise<readonly UnfinishedCommand[]> {
  const [begun, erasures] = await Promise.all([
    recentRecord(meta, UNFINISHED_KEY),
    // Most stores never had an erasure, so this is usually one read.
    recentRecord(meta, ERASURES_KEY),
  ]);
  const { commands } = begun === undefined ? { commands: [] } : unfinishedRecord.decode(begun);
  const noted = commands.map(({ command }): UnfinishedCommand => ({
    command,
    affectsAnswers: true,
    text: TEXTS[command],
  }));
  return erasures === undefined ? noted : [...noted, ...(await unfinishedErasures(meta))];
}

/** The record, which may be a second old. Every answer needs it, and a list that may be old costs half of a read. */
async function recentRecord(meta: MetaStore, key: string): Promise<MetaRecord | undefined> {
  return (await meta.list("position", { prefix: key, limit: 1, isEventual: true })).records[0];
}

const AGAIN = "is running, or was interrupted: answers may lack data. If it does not run, repeat";
const TEXTS: { readonly [Command in NotedCommand["command"]]: string } = {
  import: `An import of a recording ${AGAIN} its \`outlive import\`.`,
  "archive import": `An import of an archive ${AGAIN} its \`outlive archive import\`: it continues.`,
  restore: `A restore ${AGAIN} its \`outlive restore\`: it continues.`,
};

async function unfinishedErasures(meta: MetaStore): Promise<readonly UnfinishedCommand[]> {
  const unfinished: UnfinishedCommand[] = [];
  for await (const { value } of listDecoded(meta, erasureRecord, "")) {
    if (value.stage === "done") continue;
    const text =
      `Erasure ${value.id} is running, or was interrupted: answers may have some of its data. If it does not run, ` +
      "repeat its `outlive erase`: it continues.";
    unfinished.push({ command: "erase", affectsAnswers: true, text });
  }
  return unfinished;
}

/** Answers stay complete during a replay, because the other projection answers until it ends. */
async function unfinishedReplay(meta: MetaStore): Promise<readonly UnfinishedCommand[]> {
  const stored = await readCheckpoint(meta);
  if (stored === undefined || stored.checkpoint.stage.stage === "ended") return [];
  const text =
    `A replay that builds projection ${stored.checkpoint.building} is running, or was interrupted. The other one ` +
    "answers. If no replay runs, repeat `outlive replay`.";
  return [{ command: "replay", affectsAnswers: false, text }];
}
