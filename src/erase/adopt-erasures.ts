import type { ErasureFile } from "../archive/layout/erasure-file.ts";
import type { MetaStore } from "../ports/meta.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { type ErasureRecord, erasureRecord } from "./erasure-record.ts";
import { splitHashes } from "./salted-names.ts";
import { announce, listErasures, type StoredErasure, storeHashes } from "./stored-erasures.ts";

/** An erasure as an archive records it. */
export interface RecordedErasure {
  readonly file: Pick<ErasureFile, "erasure" | "counts" | "hashes">;
}

/**
 * Marks adopted erasures as done. Call it when the store was filled after they were adopted, from what has nothing of
 * their data: then there is nothing to remove.
 */
export async function settleAdopted(meta: MetaStore, adopted: readonly StoredErasure[]): Promise<void> {
  for (const { record } of adopted) {
    const stored = await readRecord(meta, erasureRecord, record.id);
    const value: ErasureRecord = { ...record, stage: "done" };
    await writeRecord(meta, erasureRecord, { key: record.id, value, expected: stored?.version ?? 0 });
  }
}

/**
 * Records erasures that a store does not know. They still have to be applied: their data is recognized by its hashes.
 * Returns those that are not finished in this store.
 */
export async function adoptErasures(
  meta: MetaStore,
  recorded: readonly RecordedErasure[],
): Promise<readonly StoredErasure[]> {
  const hashes = new Map<string, Set<string>>();
  for (const { file } of recorded) {
    const known = hashes.get(file.erasure.id) ?? new Set();
    for (const hash of splitHashes(file.hashes)) known.add(hash);
    hashes.set(file.erasure.id, known);
  }
  for (const { file } of recorded) await adopt(meta, file, [...(hashes.get(file.erasure.id) ?? [])].sort());
  return (await listErasures(meta)).filter(({ record }) => record.stage !== "done" && hashes.has(record.id));
}

async function adopt(
  meta: MetaStore,
  { erasure, counts }: RecordedErasure["file"],
  hashes: readonly string[],
): Promise<void> {
  if ((await readRecord(meta, erasureRecord, erasure.id)) !== undefined) return;
  const pages = await storeHashes(meta, erasure.id, { hashes });
  // Gathering again finds Jobs that the archive did not have.
  const value: ErasureRecord = { ...erasure, stage: "gathering", pages, counts };
  await writeRecord(meta, erasureRecord, { key: erasure.id, value, expected: 0 });
  await announce(meta);
}
