import { DAY_MILLIS, type Instant, parseInstant } from "../../job/model/instant.ts";
import type { HoldStores } from "../../ports/expiry/holds.ts";
import type { EndedJob } from "../../ports/expiry/job-expiry.ts";
import { retentionKey } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { listDecoded, readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { type RemovedRecord, removedRecord } from "../../ports/records/removed-record.ts";
import { readRetentionRules } from "./retention-rules.ts";

export interface RemovedJobs {
  /** Whether retention has deleted anything. */
  readonly isEmpty: boolean;
  /**
   * Whether retention has deleted a Job that no projection has: the Job ended before the applied limit, and no hold
   * that was set in time protects it.
   */
  has(job: EndedJob): boolean;
}

/** Which Jobs retention has deleted, by the limits that it has noted. */
export async function readRemovedJobs(stores: HoldStores): Promise<RemovedJobs> {
  const removed = new Map<string, RemovedRecord>();
  for await (const { key, value } of listDecoded(stores.meta, removedRecord, "")) removed.set(key, value);
  const rules = await readRetentionRules(stores, undefined);
  return {
    isEmpty: removed.size === 0,
    has: ({ endedAt, ...job }) => {
      const { endedBefore = -Infinity, days = 0 } = removed.get(retentionKey(job.cluster, job.namespace)) ?? {};
      if (endedAt >= endedBefore) return false;
      const hold = rules.holdOn(job);
      return hold === undefined || (parseInstant(hold.heldAt) ?? 0) > endedAt + days * DAY_MILLIS;
    },
  };
}

/** Records what retention deletes, before or together with the deletion. Limits only move forward. */
export async function noteRemoved(meta: MetaStore, key: string, deleted: RemovedRecord): Promise<void> {
  const stored = await readRecord(meta, removedRecord, key);
  const value = { ...stored?.value, ...later(stored?.value ?? {}, deleted) };
  const written = await writeRecord(meta, removedRecord, { key, value, expected: stored?.version ?? 0 });
  if (written.outcome === "conflict") await noteRemoved(meta, key, deleted);
}

const LIMITS = ["endedBefore", "recordsBefore", "hintsBefore", "logBefore"] as const;

function later(known: RemovedRecord, { days, ...deleted }: RemovedRecord): RemovedRecord {
  const limits = LIMITS.flatMap((name): readonly (readonly [string, Instant])[] => {
    const limit = deleted[name];
    return limit === undefined ? [] : [[name, Math.max(known[name] ?? limit, limit)]];
  });
  return { ...Object.fromEntries(limits), ...(days !== undefined && { days: Math.min(known.days ?? days, days) }) };
}
