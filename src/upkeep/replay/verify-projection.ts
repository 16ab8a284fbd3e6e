import { canonical } from "../../job/model/canonical.ts";
import { type ClusterName, decodeClusterName, type JobUid } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { count } from "../../job/text/sentence.ts";
import type { HoldSource } from "../../ports/expiry/holds.ts";
import type { JobRow, StoredJob } from "../../ports/job-row.ts";
import type { JobKey, JobStore } from "../../ports/jobs.ts";
import type { Log, LogKey } from "../../ports/log.ts";
import { listRecords } from "../../ports/list-records.ts";
import { namespaceKey } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { endedJob } from "../../projection/job-state/ended-job.ts";
import { damagedAcknowledgements } from "../retention/acknowledgements.ts";
import { type RemovedJobs, readRemovedJobs } from "../retention/removed-jobs.ts";
import { sealedAtOf } from "../../segment/segment-key.ts";
import { compareSeries } from "../series/compare-series.ts";
import { logBegins } from "./log-begins.ts";
import { itemsWithoutErased } from "../../log/erasure/without-erased.ts";
import { MARKER } from "../../ports/records/marker-record.ts";
import { rowOf } from "../../projection/job-state/derive-row.ts";
import { readLogItem } from "../../projection/log-segment.ts";
import { PageUnreadableError } from "../../projection/pages/page-ref.ts";
import { idHash } from "../../projection/pages/page-split.ts";
import { areSameState } from "../../projection/job-state/job-state.ts";
import { viewJob } from "../../projection/job-state/read-job.ts";
import { encodeUsage } from "../../projection/job-state/usage-bytes.ts";
import { SummaryUnreadableError, unpackWithUsage } from "../../projection/job-state/summary-bytes.ts";
import { RunChanges } from "../../projection/run-state/run-changes.ts";
import { type ComparedRuns, compareRuns, foldRuns, type Mismatch } from "./compare-runs.ts";
import { compareRecords, type RecordMismatch, type RecordVersions, recordVersions } from "./compare-records.ts";
import { FreshFold, readSegment, throwAwayPages } from "./fresh-fold.ts";
import { readWholeLog } from "../../log/read-log.ts";
import { type LogBegin, RecordFold } from "./record-fold.ts";
import { unnamedLogDays } from "./restore-log-days.ts";

export interface VerifyPorts {
  readonly log: Log;
  readonly meta: MetaStore;
  /** The projection to verify. */
  readonly jobs: JobStore;
  /** All Jobs of a cluster in the projection. @default additional Jobs are not detected */
  readonly storedJobs?: (cluster: ClusterName) => AsyncIterable<JobUid>;
  /** The runs of the same projection, and the uids of all. @default runs are not compared */
  readonly runs?: Pick<ComparedRuns, "runs" | "storedRuns">;
  /** What keeps Jobs beyond their retention. @default nothing */
  readonly holds?: readonly HoldSource[];
}

export interface VerifyOptions {
  /** When the comparison begins: what arrives since is no mismatch of a run. @default Date.now */
  readonly now?: () => Instant;
  /**
   * How often the log is read, each time for one share of the Jobs. More shares need less memory and more time.
   * @default 1
   */
  readonly shares?: number;
  readonly onProgress?: (soFar: { readonly jobs: number }) => void;
}

export interface Verified {
  readonly segments: number;
  readonly jobs: number;
  /** The number of Jobs that retention has deleted and that the log still contains. */
  readonly removed: number;
  readonly mismatches: readonly Mismatch[];
  /** Records beside the Jobs that differ from the log. */
  readonly records: readonly RecordMismatch[];
  /** Keys of acknowledgements whose checksum is wrong. They do not follow from the log. */
  readonly acknowledgements: readonly string[];
  /** Log items that cannot be read: their facts are in no projection. */
  readonly unreadable: readonly { readonly key: LogKey; readonly reason: string }[];
}

/**
 * Compares a projection with a fresh projection of the log, Job by Job. Segments that arrive meanwhile are not a
 * mismatch: a Job that differs is compared again with the segments that its own state names.
 */
export async function verifyProjection(ports: VerifyPorts, options: VerifyOptions = {}): Promise<Verified> {
  const { shares = 1, onProgress } = options;
  const mismatches: Mismatch[] = [];
  const unreadable: { readonly key: LogKey; readonly reason: string }[] = [];
  const before = await recordVersions(ports);
  const recordFold = new RecordFold();
  const runFold = new RunChanges();
  const since = beginOf(options);
  const context = await contextOf(ports);
  let jobs = 0;
  let removed = 0;
  let segments = 0;
  for (let share = 0; share < shares; share += 1) {
    const folded = await foldShare(ports, {
      wanted: (uid) => idHash(uid) % shares === share,
      ...(share === 0 && { recordFold, runFold }),
    });
    segments = folded.segments;
    if (share === 0) unreadable.push(...folded.unreadable);
    for await (const compared of comparedJobs(context, folded)) {
      if (compared === "removed") removed += 1;
      else jobs += 1;
      if (typeof compared === "object") mismatches.push(compared);
      onProgress?.({ jobs });
    }
    mismatches.push(...(await additionalJobs(context, folded)));
  }
  mismatches.push(...(await differentRuns(context, runFold, since)));
  return {
    segments,
    jobs,
    removed,
    mismatches,
    unreadable,
    acknowledgements: await damagedAcknowledgements(ports.meta),
    records: await differentRecords(context, recordFold, before),
  };
}

function beginOf({ now = Date.now }: VerifyOptions): Instant {
  return now();
}

async function* comparedJobs(context: VerifyContext, folded: FoldedShare): AsyncGenerator<Compared> {
  for (const { key, fold } of folded.jobs()) yield compareJob(context, key, fold);
}

async function differentRuns(
  { meta, jobs, runs, removed }: VerifyContext,
  folded: RunChanges,
  since: Instant,
): Promise<readonly Mismatch[]> {
  if (runs === undefined) return [];
  const clusters: string[] = [];
  for await (const { key } of listRecords(meta, "cluster", { prefix: "" })) clusters.push(key);
  return compareRuns({ ...runs, jobs, clusters, removed, since }, folded);
}

/** Namespaces without a record: their Jobs are in no list. */
async function unlistedNamespaces({ meta, namespaces }: VerifyContext): Promise<readonly RecordMismatch[]> {
  const found: RecordMismatch[] = [];
  for (const key of namespaces) {
    if ((await meta.read("namespace", key)) !== undefined) continue;
    found.push({ kind: "namespace", key, problem: "missing", expected: MARKER, version: 0 });
  }
  return found;
}

/** What retention has deleted, and where the log begins. */
async function contextOf(ports: VerifyPorts): Promise<VerifyContext> {
  const removed = await readRemovedJobs({ meta: ports.meta, holds: ports.holds ?? [] });
  return { ...ports, removed, begins: await logBegins(ports), namespaces: new Set() };
}

/** The records that differ, the days of the log that no record names, and the namespaces without a record. */
async function differentRecords(
  ports: VerifyContext,
  fold: RecordFold,
  before: RecordVersions,
): Promise<readonly RecordMismatch[]> {
  const days = (await unnamedLogDays(ports)).map((key): RecordMismatch => {
    return { kind: "logDay", key, problem: "missing", expected: MARKER, version: 0 };
  });
  const { mismatches } = await compareRecords(ports, fold, before);
  const { storedJobs } = ports;
  const series = storedJobs === undefined ? [] : await compareSeries({ ...ports, storedJobs });
  return [...days, ...mismatches, ...series, ...(await unlistedNamespaces(ports))];
}

interface Share {
  readonly wanted: (uid: JobUid) => boolean;
  readonly recordFold?: RecordFold;
  readonly runFold?: RunChanges;
}

interface FoldedShare extends Share {
  readonly segments: number;
  readonly unreadable: Verified["unreadable"];
  readonly has: (key: JobKey) => boolean;
  readonly jobs: () => Iterable<{ readonly key: JobKey; readonly fold: FreshFold }>;
}

async function foldShare({ log, meta }: VerifyPorts, share: Share): Promise<FoldedShare> {
  const { wanted, recordFold, runFold } = share;
  const folds = new Map<ClusterName, FreshFold>();
  const unreadable: { readonly key: LogKey; readonly reason: string }[] = [];
  let segments = 0;
  const foldOf = (cluster: ClusterName): FreshFold => {
    const fold = folds.get(cluster) ?? new FreshFold(wanted);
    folds.set(cluster, fold);
    return fold;
  };
  for await (const items of readWholeLog({ log, meta })) {
    segments += items.length;
    for (const item of await itemsWithoutErased(meta, items)) {
      const read = readLogItem(item);
      if (read.outcome === "unreadable") {
        unreadable.push({ key: item.key, reason: read.reason });
        continue;
      }
      foldOf(read.segment.cluster).add(read.segment);
      recordFold?.add(read.segment);
      if (runFold !== undefined) foldRuns(runFold, read.segment);
    }
  }
  function* jobs(): Generator<{ readonly key: JobKey; readonly fold: FreshFold }> {
    for (const [cluster, fold] of folds) for (const jobUid of fold.uids) yield { key: { cluster, jobUid }, fold };
  }
  const has = ({ cluster, jobUid }: JobKey) => folds.get(cluster)?.has(jobUid) === true;
  return { ...share, jobs, has, segments, unreadable };
}

interface VerifyContext extends VerifyPorts {
  readonly removed: RemovedJobs;
  readonly begins: (cluster: string) => LogBegin;
  /** Gets the keys of the namespaces of stored Jobs. */
  readonly namespaces: Set<string>;
}

/** Jobs of a share that the projection has and that no segment of the log states. */
async function additionalJobs(context: VerifyContext, { wanted, has }: FoldedShare): Promise<readonly Mismatch[]> {
  const found: Mismatch[] = [];
  for await (const { key: name } of listRecords(context.meta, "cluster", { prefix: "" })) {
    const cluster = decodeClusterName(name);
    if (cluster === undefined || context.storedJobs === undefined) continue;
    for await (const jobUid of context.storedJobs(cluster)) {
      const key = { cluster, jobUid };
      if (!wanted(jobUid) || has(key)) continue;
      // It may have been stored since the log was read: then the segments that its state names are in the log.
      const mismatch = await compareStored(context, key, new FreshFold(() => false));
      if (mismatch !== undefined) found.push({ ...key, problem: "additional", reason: ADDITIONAL });
    }
  }
  return found;
}

const ADDITIONAL = "The projection has the Job, and no segment of the log has facts of it.";

type Compared = Mismatch | "removed" | undefined;

async function compareJob(ports: VerifyContext, key: JobKey, fold: FreshFold): Promise<Compared> {
  const stored = await ports.jobs.read(key);
  if (stored === undefined) {
    if (await isRemoved(ports, key, fold)) return "removed";
    return {
      ...key,
      problem: "missing",
      reason: `The log has facts of Job ${key.jobUid}, and the projection does not have the Job.`,
    };
  }
  return compareStored(ports, key, fold);
}

async function compareStored(ports: VerifyContext, key: JobKey, fold: FreshFold): Promise<Mismatch | undefined> {
  const stored = await ports.jobs.read(key);
  if (stored === undefined) return undefined;
  if (stored.row !== undefined) ports.namespaces.add(namespaceKey(key.cluster, stored.row.namespace));
  try {
    if (await isFoldOf(key, stored, fold)) return await comparePages(ports, key, stored);
    return await compareBySegments(ports, key, fold);
  } catch (cause) {
    if (!(cause instanceof PageUnreadableError || cause instanceof SummaryUnreadableError)) throw cause;
    return { ...key, problem: "unreadable", reason: cause.message };
  }
}

async function isFoldOf({ cluster, jobUid }: JobKey, stored: StoredJob, fold: FreshFold): Promise<boolean> {
  const { state, bytes } = await fold.stateOf(jobUid, throwAwayPages());
  return areSameState(bytes, stored.bytes) && isRowOf(rowOf(cluster, state), stored.row, state.seenAt);
}

/**
 * A sweep can change a row of phase A, even its phase, without a log item. Only the other fields of such a row follow
 * from the log.
 */
function isRowOf(row: JobRow | undefined, stored: JobRow | undefined, seenAt: Instant): boolean {
  if (row === undefined || stored === undefined) return row === stored;
  const [expected, found] = [contentOf(row), contentOf(stored)];
  if (isSameContent(expected, found)) return true;
  if (expected.phase !== "A") return false;
  const sweptAt = parseInstant(found.summary.asOf.time) ?? 0;
  return sweptAt >= seenAt && canonical(keysOf(row)) === canonical(keysOf(stored));
}

/** An earlier release stored no usage. */
function isSameContent(expected: ReturnType<typeof contentOf>, found: ReturnType<typeof contentOf>): boolean {
  return canonical({ ...expected, usage: found.usage && expected.usage }) === canonical(found);
}

/** A row by its content: the output of a compressor differs between releases. */
function contentOf(row: JobRow) {
  const { answer: summary, usage } = unpackWithUsage(row.summary);
  return { ...row, summary, usage: usage && [...encodeUsage(usage)], measures: undefined };
}

function keysOf(row: JobRow | undefined) {
  return row && { namespace: row.namespace, name: row.name, createdAt: row.createdAt };
}

/** Equal states refer to equal pages. Reading the pages shows whether they exist. */
async function comparePages({ jobs }: VerifyPorts, key: JobKey, stored: StoredJob): Promise<undefined> {
  const pods = viewJob(jobs, key, stored).pods()[Symbol.asyncIterator]();
  while ((await pods.next()).done !== true);
}

/** Compares the current state with its own segments, which must include all segments of the log. */
async function compareBySegments(
  context: VerifyContext,
  key: JobKey,
  logged: FreshFold,
): Promise<Mismatch | undefined> {
  const stored = await context.jobs.read(key);
  const own = await ownSegments(context, key, stored);
  if (own === "expired") return undefined;
  const lacking = (await isRemoved(context, key, logged)) ? 0 : lackingIn(own, logged, key.jobUid);
  if (lacking > 0) {
    return {
      ...key,
      problem: "different",
      reason:
        `${count(lacking, "segment")} with facts of Job ${key.jobUid} ${lacking === 1 ? "is" : "are"} ` +
        "missing from its state.",
    };
  }
  if (stored !== undefined && (await isFoldOf(key, stored, own))) return undefined;
  return {
    ...key,
    problem: "different",
    reason: `The state of Job ${key.jobUid} differs from the projection of its segments.`,
  };
}

/** The segments that a state names. `expired`: at least one has left the log, so the state cannot be compared. */
async function ownSegments(
  context: VerifyContext,
  key: JobKey,
  stored: StoredJob | undefined,
): Promise<FreshFold | "expired"> {
  const own = new FreshFold((uid) => uid === key.jobUid);
  if (stored === undefined) return own;
  const { since } = context.begins(key.cluster);
  for await (const logKey of viewJob(context.jobs, key, stored).logKeys()) {
    const read = await readSegment(context, logKey);
    if (read !== undefined) own.add(read);
    else if (sealedAtOf(logKey.sk) < since) return "expired";
  }
  return own;
}

function lackingIn(own: FreshFold, logged: FreshFold, uid: JobUid): number {
  const applied = new Set(own.segmentsOf(uid).map(({ sortKey }) => canonical(sortKey)));
  return logged.segmentsOf(uid).filter(({ sortKey }) => !applied.has(canonical(sortKey))).length;
}

/** Whether retention has deleted the Job. A segment that arrived later may have stored a part of it again. */
async function isRemoved({ removed }: VerifyContext, { cluster, jobUid }: JobKey, fold: FreshFold): Promise<boolean> {
  if (removed.isEmpty) return false;
  const ended = endedJob(cluster, (await fold.stateOf(jobUid, throwAwayPages())).state);
  return ended !== undefined && removed.has(ended);
}
