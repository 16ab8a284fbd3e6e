import type { MetaKind } from "../../ports/meta.ts";
import { compareRecords, foldRecords, type RecordMismatch, recordVersions } from "./compare-records.ts";
import type { LogStores } from "./log-begins.ts";

export interface RecordPorts extends LogStores {
  /** Runs `work` in one transaction. @default without one */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
  /** Removes a record. @default records that no fact supports stay */
  readonly removeRecord?: (kind: MetaKind, key: string) => Promise<void>;
}

/** The number of rounds. Each reads the log once more, for records that others have written in the meantime. */
const MOST_ROUNDS = 5;

/**
 * Repairs the records beside the Jobs (Nodes, CronJobs, hints, gaps, clusters, namespaces and their keys) from the
 * log: a missing, wrong or unreadable record is replaced, and a record that no fact supports is removed. A record that
 * changes meanwhile is compared again. Doing it twice changes nothing. Returns the number of records that were
 * repaired.
 */
export async function rebuildRecords(ports: RecordPorts): Promise<number> {
  let repaired = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = await recordVersions(ports);
    const { mismatches, changed } = await compareRecords(ports, await foldRecords(ports), before);
    const written = await repairRecords(ports, mismatches);
    repaired += written;
    // Heartbeats are written every few seconds, so records that keep changing are compared twice only.
    if (written === mismatches.length && (changed === 0 || round > 0)) break;
  }
  return repaired;
}

/** Writes what follows from the log. Returns how many records were repaired: some may have changed in the meantime. */
export async function repairRecords(ports: RecordPorts, mismatches: readonly RecordMismatch[]): Promise<number> {
  const { atOnce = (work: () => Promise<void>) => work() } = ports;
  let repaired = 0;
  await atOnce(async () => {
    for (const mismatch of mismatches) if (await repairOne(ports, mismatch)) repaired += 1;
  });
  return repaired;
}

async function repairOne(
  { meta, removeRecord }: RecordPorts,
  { kind, key, expected, version }: RecordMismatch,
): Promise<boolean> {
  if (expected !== undefined) {
    return (await meta.write(kind, key, { value: expected, expected: version })).outcome === "written";
  }
  const stored = await meta.read(kind, key);
  if (stored?.version !== version) return false;
  await removeRecord?.(kind, key);
  return true;
}
