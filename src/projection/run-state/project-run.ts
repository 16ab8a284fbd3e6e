import type { RunFact } from "../../job/model/fact.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { RunObserver } from "../row-observer.ts";
import { noteIfUnlisted } from "../note-unlisted.ts";
import type { JobUid } from "../../job/model/ids.ts";
import { emptyRun, joinRunFacts, type RunRecord, withMember } from "../../explain/run/run-record.ts";
import type { Retry } from "../../ports/concurrency/retry.ts";
import type { EncodedJobState, JobRow } from "../../ports/job-row.ts";
import type { JobKey, StateStore } from "../../ports/jobs.ts";
import { decodeJobState } from "../job-state/job-state.ts";
import { untilWritten } from "../until-written.ts";
import { memberOf } from "./run-member.ts";
import { rowOfRun } from "./run-row.ts";
import { decodeRun, encodeRun, RunUnreadableError } from "./run-state.ts";

/** The Jobs of a projection, and the runs of the same one. */
export interface RunStores {
  /** Where the namespaces of new runs are noted. @default they are known */
  readonly meta?: MetaStore;
  /** Whether to leave alone what both projections share: namespaces. @default false */
  readonly jobsOnly?: boolean;
  readonly jobs: Pick<StateStore, "read">;
  readonly runs: Pick<StateStore, "read" | "write">;
  /** Gets each row that is written. @default none: for a projection that is not live */
  readonly runObserver?: RunObserver;
}

/** What has changed about a run. */
export interface RunChange {
  /** That of the run is its uid. */
  readonly key: JobKey;
  readonly facts: readonly RunFact[];
  /** The Jobs whose states were written. */
  readonly jobs: ReadonlySet<JobUid>;
  /** Whether this is all that is known about the run, instead of what is stored. @default false */
  readonly isWhole?: boolean;
}

/**
 * Joins what has changed into the stored run: read the run, then the states of the changed Jobs, then a conditional
 * write; again if another writer came first. The order matters: a Job's state is written before its run is read. So the
 * writer that comes last has read the latest state of each Job, and no run keeps an earlier one.
 */
export async function projectRun(stores: RunStores, change: RunChange, retry: Retry): Promise<"written" | "unchanged"> {
  const { key } = change;
  return untilWritten(`run ${key.jobUid}`, retry, async () => {
    const stored = await stores.runs.read(key);
    const known = change.isWhole === true ? emptyRun(key.jobUid) : recordOf(key.jobUid, stored);
    const record = await withJobs(stores.jobs, joinRunFacts(known, change.facts), change);
    const encoded = encodedRun(record);
    if (stored !== undefined && isSameRun(encoded, stored)) return "unchanged";
    const { meta, jobsOnly = false } = stores;
    if (meta !== undefined) await noteIfUnlisted({ meta, jobsOnly }, key, { row: encoded.row, known: stored?.row });
    const { outcome } = await stores.runs.write(key, encoded, stored?.version ?? 0);
    if (outcome === "written") await observe(stores, { key, row: encoded.row });
    return outcome;
  });
}

async function observe(
  { runObserver }: RunStores,
  { key, row }: { readonly key: JobKey; readonly row: JobRow | undefined },
): Promise<void> {
  if (row !== undefined) await runObserver?.({ key, row });
}

/** A run with what its Jobs show now. */
export async function withJobs(
  jobs: RunStores["jobs"],
  known: RunRecord,
  { key, jobs: changed }: Pick<RunChange, "key" | "jobs">,
): Promise<RunRecord> {
  let record = known;
  for (const jobUid of changed) {
    const stored = await jobs.read({ cluster: key.cluster, jobUid });
    const member = stored && memberOf(key.cluster, decodeJobState(jobUid, stored.bytes));
    record = withMember(record, jobUid, member);
  }
  return record;
}

export type StoredRun = Pick<EncodedJobState, "bytes" | "row">;

/** The record of a stored run; an empty one if there is none. */
export function recordOf(uid: string, stored: StoredRun | undefined): RunRecord {
  return stored === undefined ? emptyRun(uid) : decodeRun(uid, bytesOf(stored));
}

/** The same; `undefined` if the stored run is unreadable. */
export function readableRecord(uid: string, stored: StoredRun): RunRecord | undefined {
  try {
    return recordOf(uid, stored);
  } catch (cause) {
    if (!(cause instanceof RunUnreadableError)) throw cause;
    return undefined;
  }
}

export function encodedRun(record: RunRecord): StoredRun {
  const bytes = encodeRun(record);
  const row = rowOfRun(record);
  return row === undefined ? { bytes } : { bytes: NOTHING, row: { ...row, summary: bytes } };
}

function isSameRun(a: StoredRun, b: StoredRun): boolean {
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf({ bytes, row }: StoredRun): Uint8Array {
  return row?.summary ?? bytes;
}

const NOTHING = new Uint8Array();
