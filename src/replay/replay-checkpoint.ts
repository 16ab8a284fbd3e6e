import type { MetaStore } from "../ports/meta.ts";
import { REPLAY_KEY } from "../ports/meta-key.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { type ReplayCheckpoint, replayCheckpoint } from "../ports/records/replay-checkpoint.ts";

export interface StoredCheckpoint {
  readonly checkpoint: ReplayCheckpoint;
  readonly version: number;
}

export async function readCheckpoint(meta: MetaStore): Promise<StoredCheckpoint | undefined> {
  const stored = await readRecord(meta, replayCheckpoint, REPLAY_KEY);
  return stored && { checkpoint: stored.value, version: stored.version };
}

/** Writes the checkpoint, unless another process has continued the replay. */
export async function writeCheckpoint(
  meta: MetaStore,
  checkpoint: ReplayCheckpoint,
  expected: number,
): Promise<StoredCheckpoint | "conflict"> {
  const written = await writeRecord(meta, replayCheckpoint, { key: REPLAY_KEY, value: checkpoint, expected });
  return written.outcome === "conflict" ? "conflict" : { checkpoint, version: written.version };
}
