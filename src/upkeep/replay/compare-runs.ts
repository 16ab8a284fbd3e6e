import { emptyRun, joinRunFacts, type RunRecord, withMember } from "../../explain/run/run-record.ts";
import { seenAtOf } from "../../explain/run/answer-run.ts";
import { type ClusterName, decodeClusterName, type JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import type { JobKey, JobStore, RunStore } from "../../ports/jobs.ts";
import type { LoggedSegment } from "../../projection/group-facts.ts";
import type { RemovedJobs } from "../retention/removed-jobs.ts";
import {
  encodedRun,
  readableRecord,
  type RunChange,
  type RunSource,
  withChange,
} from "../../projection/run-state/project-run.ts";
import type { RunChanges } from "../../projection/run-state/run-changes.ts";
import { encodeRun } from "../../projection/run-state/run-state.ts";

/** A Job or run whose state in the projection differs from the log. */
export interface Mismatch extends JobKey {
  readonly problem: "missing" | "different" | "unreadable" | "additional";
  /** A sentence for display. */
  readonly reason: string;
}

/** Adds what a segment of the log says about runs: facts, and which Jobs name one. */
export function foldRuns(runs: RunChanges, { cluster, facts }: Pick<LoggedSegment, "cluster" | "facts">): void {
  runs.addFacts(cluster, facts);
  for (const fact of facts) {
    if (fact.kind === "JobCreated") runs.addJob({ cluster, jobUid: fact.jobUid }, runOfJob(fact)?.uid);
  }
}

export interface ComparedRuns {
  readonly jobs: Pick<JobStore, "read">;
  readonly runs: Pick<RunStore, "read">;
  /** All runs of a cluster in the projection. */
  readonly storedRuns: (cluster: ClusterName) => AsyncIterable<JobUid>;
  readonly clusters: readonly string[];
  /** What retention has deleted. */
  readonly removed: RemovedJobs;
  /** When the comparison began. */
  readonly since: Instant;
}

/** An exporter may send facts later than they are observed. */
const LATE_MILLIS = 600_000;

/**
 * Compares each stored run with the log and with the states of its Jobs. A run that differs because something has
 * arrived since the comparison began is not a mismatch.
 */
export async function compareRuns(ports: ComparedRuns, folded: RunChanges): Promise<readonly Mismatch[]> {
  const mismatches: Mismatch[] = [];
  const recordAt = async (key: JobKey) => joinRunFacts(emptyRun(key.jobUid), folded.factsOf(key));
  for (const run of folded.all) {
    const mismatch = await compareRun({ ...ports, recordAt }, run);
    if (mismatch !== undefined) mismatches.push(mismatch);
  }
  for (const cluster of ports.clusters.flatMap((name) => decodeClusterName(name) ?? [])) {
    for await (const jobUid of ports.storedRuns(cluster)) {
      const key = { cluster, jobUid };
      if (folded.has(key) || (await isRecent(ports, key))) continue;
      mismatches.push({ ...key, problem: "additional", reason: "No fact of the log names this run." });
    }
  }
  return mismatches;
}

async function compareRun(ports: ComparedRuns & RunSource, run: RunChange): Promise<Mismatch | undefined> {
  const { key, jobs } = run;
  const { jobUid } = key;
  const known = await withChange(ports, emptyRun(jobUid), run);
  const stored = await ports.runs.read(key);
  if (stored === undefined) {
    const isGone = isRemoved(ports, key, known) || (jobs.size > 0 && known.jobs.size === 0);
    return isGone ? undefined : { ...key, problem: "missing", reason: "This run is not stored." };
  }
  const record = readableRecord(jobUid, stored);
  if (record === undefined) return { ...key, problem: "unreadable", reason: "The stored run cannot be decoded." };
  const expected = withExpired(known, record, jobs);
  if (Buffer.compare(encodeRun(record), encodeRun(expected)) === 0) {
    const isListed = (stored.row === undefined) === (encodedRun(expected).row === undefined);
    return isListed ? undefined : { ...key, problem: "different", reason: "The row of this run is wrong." };
  }
  if (seenAtOf(record) >= ports.since - LATE_MILLIS) return undefined;
  return { ...key, problem: "different", reason: "This run differs from the log and from its Jobs." };
}

/** Whether retention has deleted the run, as it has its Jobs. */
function isRemoved({ removed }: ComparedRuns, { cluster }: JobKey, record: RunRecord): boolean {
  const { row } = encodedRun(record);
  return row?.endedAt !== undefined && removed.has({ cluster, ...row, endedAt: row.endedAt });
}

/** With Jobs that the log names and that retention has deleted: only the run still has them. */
function withExpired(known: RunRecord, stored: RunRecord, jobs: ReadonlySet<JobUid>): RunRecord {
  const expired = [...jobs].filter((uid) => !known.jobs.has(uid));
  return expired.reduce((record, uid) => withMember(record, uid, stored.jobs.get(uid)), known);
}

async function isRecent({ runs, since }: ComparedRuns, key: JobKey): Promise<boolean> {
  const stored = await runs.read(key);
  const record = stored && readableRecord(key.jobUid, stored);
  return stored === undefined || (record !== undefined && seenAtOf(record) >= since - LATE_MILLIS);
}
