import type { RunFact } from "../../job/model/fact.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { RunObserver } from "../row-observer.ts";
import { noteIfUnlisted } from "../note-unlisted.ts";
import { decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import { isBelow, objectAbove, runsBelow } from "../../parents/run/object-above.ts";
import { emptyRun, joinRunFacts, type RunRecord, withMember } from "../../explain/run/run-record.ts";
import type { Retry } from "../../ports/concurrency/retry.ts";
import type { EncodedJobState, JobRow, StoredJob } from "../../ports/job-row.ts";
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
 * Joins what has changed into the stored run: read the run, then the states of the changed Jobs and the object above
 * it, then a conditional write; again if another writer came first. The order matters: a Job's state, and the object
 * above, are written before the run is read. So the writer that comes last has read the latest state of each, and no
 * run keeps an earlier one. The runs below an object are stored before its link to them, and written again after it.
 */
export async function projectRun(stores: RunStores, change: RunChange, retry: Retry): Promise<"written" | "unchanged"> {
  const { outcome, record } = await writeRun(stores, change, retry);
  const { cluster, jobUid: uid } = change.key;
  for (const jobUid of runsBelow(uid, record.parents)) {
    await writeRun(stores, { key: { cluster, jobUid }, facts: [], jobs: new Set() }, retry);
  }
  return outcome;
}

interface WrittenRun {
  readonly outcome: "written" | "unchanged";
  readonly record: RunRecord;
}

async function writeRun(stores: RunStores, change: RunChange, retry: Retry): Promise<WrittenRun> {
  const { key } = change;
  const source = { jobs: stores.jobs, recordAt: storedRecords(stores.runs) };
  let record = emptyRun(key.jobUid);
  const outcome = await untilWritten(`run ${key.jobUid}`, retry, async () => {
    const stored = await stores.runs.read(key);
    // It has expired, and nothing is known of it but the object above.
    if (stored === undefined && isNothing(change)) return "unchanged";
    const known = change.isWhole === true ? emptyRun(key.jobUid) : recordOf(key.jobUid, stored);
    record = await withChange(source, known, change);
    return writeOver(stores, key, { record, stored });
  });
  return { outcome, record };
}

interface OverStored {
  readonly record: RunRecord;
  readonly stored: StoredJob | undefined;
}

async function writeOver(stores: RunStores, key: JobKey, { record, stored }: OverStored) {
  const encoded = encodedRun(record);
  if (stored !== undefined && isSameRun(encoded, stored)) return "unchanged";
  const { meta, jobsOnly = false } = stores;
  if (meta !== undefined) await noteIfUnlisted({ meta, jobsOnly }, key, { row: encoded.row, known: stored?.row });
  const { outcome } = await stores.runs.write(key, encoded, stored?.version ?? 0);
  if (outcome === "written") await observe(stores, { key, row: encoded.row });
  return outcome;
}

function isNothing({ facts, jobs }: RunChange): boolean {
  return facts.length + jobs.size === 0;
}

async function observe(
  { runObserver }: RunStores,
  { key, row }: { readonly key: JobKey; readonly row: JobRow | undefined },
): Promise<void> {
  if (row !== undefined) await runObserver?.({ key, row });
}

/** What a run has of other states. */
export interface RunSource {
  readonly jobs: Pick<StateStore, "read">;
  /** The record of an object above; `undefined` if none is known. */
  readonly recordAt: (key: JobKey) => Promise<RunRecord | undefined>;
}

export function storedRecords(runs: Pick<StateStore, "read">): RunSource["recordAt"] {
  return async (key) => {
    const stored = await runs.read(key);
    return stored && readableRecord(key.jobUid, stored);
  };
}

/** A run with a change: facts, what its Jobs show now, and what is known now of the object above it. */
export async function withChange(
  { jobs, recordAt }: RunSource,
  known: RunRecord,
  change: Pick<RunChange, "key" | "facts" | "jobs">,
): Promise<RunRecord> {
  const record = await withJobs(jobs, joinRunFacts(known, change.facts), change);
  const first = record.parents.get(record.uid)?.first;
  const uid = decodeJobUid(first && objectAbove(first)?.uid);
  const above = uid && (await recordAt({ cluster: change.key.cluster, jobUid: uid }));
  return above === undefined ? record : withAbove(record, above);
}

/** With the object above and its Workloads. */
function withAbove(record: RunRecord, { uid, parents }: RunRecord): RunRecord {
  const above = [...parents].filter(([, parent]) => !isBelow(parent, uid));
  return { ...record, parents: new Map([...record.parents, ...above]) };
}

/** A run with what its Jobs show now. */
async function withJobs(
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
