import type { MetaStore } from "../../ports/meta.ts";
import { REPLAY_KEY } from "../../ports/meta-key.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { type ReplayCheckpoint, replayCheckpoint } from "../../ports/records/replay/replay-checkpoint.ts";

/** A replay with its number: 0 for one of an earlier release. */
export type NumberedReplay = ReplayCheckpoint & { readonly run: number };

export interface StoredCheckpoint {
  readonly checkpoint: NumberedReplay;
  readonly version: number;
}

export async function readCheckpoint(meta: MetaStore): Promise<StoredCheckpoint | undefined> {
  const stored = await readRecord(meta, replayCheckpoint, REPLAY_KEY);
  return stored && { checkpoint: { ...stored.value, run: stored.value.run ?? 0 }, version: stored.version };
}

/** Writes the checkpoint, unless another process has continued the replay. */
export async function writeCheckpoint(
  meta: MetaStore,
  checkpoint: NumberedReplay,
  expected: number,
): Promise<StoredCheckpoint | "conflict"> {
  const written = await writeRecord(meta, replayCheckpoint, { key: REPLAY_KEY, value: checkpoint, expected });
  return written.outcome === "conflict" ? "conflict" : { checkpoint, version: written.version };
}
