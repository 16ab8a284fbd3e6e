import type { MetaStore } from "../../ports/meta.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import type { RecordedErasure } from "./erasable-archive.ts";
import { type ErasureRecord, erasureRecord } from "./erasure-record.ts";
import { splitHashes } from "./salted-names.ts";
import { announce, listErasures, type StoredErasure, storeHashes } from "./stored-erasures.ts";

/**
 * Marks adopted erasures as done, because there is nothing to remove. Call it only if the store was filled after the
 * adoption, from a source without their data.
 */
export async function settleAdopted(meta: MetaStore, adopted: readonly StoredErasure[]): Promise<void> {
  for (const { record } of adopted) {
    const stored = await readRecord(meta, erasureRecord, record.id);
    const value: ErasureRecord = { ...(stored?.value ?? record), stage: "done" };
    await writeRecord(meta, erasureRecord, { key: record.id, value, expected: stored?.version ?? 0 });
  }
}

/**
 * Records erasures that a store does not have. They still have to be applied: their data is recognized by its hashes.
 * Returns the erasures that are not finished in this store.
 */
export async function adoptErasures(
  meta: MetaStore,
  recorded: readonly RecordedErasure[],
): Promise<readonly StoredErasure[]> {
  const erasures = Map.groupBy(recorded, ({ file }) => file.erasure.id);
  for (const files of erasures.values()) await adopt(meta, files);
  return (await listErasures(meta)).filter(({ record }) => record.stage !== "done" && erasures.has(record.id));
}

/** Adopts an erasure that one or several objects of the archive record. */
async function adopt(meta: MetaStore, recorded: readonly RecordedErasure[]): Promise<void> {
  const [first] = recorded;
  if (first === undefined) return;
  const { erasure, counts } = first.file;
  if ((await readRecord(meta, erasureRecord, erasure.id)) !== undefined) return;
  const hashes = [...new Set(recorded.flatMap(({ file }) => splitHashes(file.hashes)))].sort();
  const files = recorded.map(({ key, sha256 }) => ({ key, sha256 }));
  const pages = await storeHashes(meta, erasure.id, { hashes });
  // The erasure gathers again, which finds Jobs that the archive did not have.
  const value: ErasureRecord = { ...erasure, stage: "gathering", pages, counts, files };
  await writeRecord(meta, erasureRecord, { key: erasure.id, value, expected: 0 });
  await announce(meta);
}
