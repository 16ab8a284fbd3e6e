import type { JobAnswer } from "../../explain/answer-document.ts";
import type { ComparisonAnswer } from "../../explain/compare/comparison-document.ts";
import { type EarlierRun, lastGoodOf } from "../../explain/compare/last-good.ts";
import { noLastGoodOf } from "../../explain/compare/last-good-text.ts";
import { canonical } from "../../job/model/canonical.ts";
import { decodeClusterName, type JobUid } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { observedRuns } from "../../parents/series/expectation.ts";
import { type PastRun, runIdOf } from "../../parents/series/past-run.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { Scope } from "../access/scope.ts";
import { addGaps } from "../clusters/known-gaps.ts";
import type { LoadedJob } from "../job/load-job.ts";
import type { JobFilter } from "../list/job-filter.ts";
import { readRows } from "../list/list-jobs.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import type { QueryPorts } from "../ports.ts";

/** The Job to compare with, or why there is none. */
export type LastGoodJob =
  | { readonly outcome: "found"; readonly uid: JobUid }
  | { readonly outcome: "none"; readonly noLastGood: NonNullable<ComparisonAnswer["noLastGood"]> };

export interface AnsweredJob {
  readonly loaded: LoadedJob;
  readonly answer: JobAnswer;
}

/** The stores, and what the reader has access to. */
interface Reading {
  readonly ports: QueryPorts;
  readonly scope: Scope;
}

/**
 * The last good Job before this one: of its series, else of its owner, else of its name. The record of a series names
 * it in one read, and one place in a list has its uid. Otherwise, at most {@link MOST_ROWS} rows are read.
 */
export async function lastGoodJob(reading: Reading, job: AnsweredJob): Promise<LastGoodJob> {
  const uid = await lastOfSeries(reading, job);
  return uid === undefined ? lastRelated(reading, job.answer) : { outcome: "found", uid };
}

/** How many runs are tried whose Jobs may have expired. */
const MOST_TRIED = 5;

/** `undefined` if the record has no such run: it has the newest successful ones only. */
async function lastOfSeries(reading: Reading, { loaded, answer }: AnsweredJob): Promise<JobUid | undefined> {
  const pastRuns = (await loaded.pastRuns()) ?? [];
  const observed = new Set(observedRuns(pastRuns, loaded.clusterContext.gaps));
  const runs = new Set(
    pastRuns.map((run) => ({ ...run, uid: String(run.id), isComplete: true, isAcrossGap: !observed.has(run) })),
  );
  for (let tried = 0; tried < MOST_TRIED; tried += 1) {
    const last = lastGoodOf(runs, createdAtOf(answer));
    if (last.outcome === "none") return undefined;
    const uid = await uidOf(reading, answer, last.run);
    if (uid !== undefined) return uid;
    runs.delete(last.run);
  }
  return undefined;
}

/** The record of a series has no room for uids: the list of the namespace has them at the time of creation. */
async function uidOf(reading: Reading, answer: JobAnswer, { id, createdAt }: PastRun): Promise<JobUid | undefined> {
  const around = { createdAfter: createdAt - 1_000, createdBefore: createdAt + 1_000 };
  for await (const row of rowsOf(reading, answer, around)) if (runIdOf(row.jobUid) === id) return row.jobUid;
  return undefined;
}

/** Of the Jobs that have the same series, or owner, and the same part in it, or the same name. */
async function lastRelated(reading: Reading, answer: JobAnswer): Promise<LastGoodJob> {
  const { earlier, isPart } = await relatedBefore(reading, answer);
  const last = lastGoodOf(earlier, createdAtOf(answer));
  if (last.outcome === "found") return { outcome: "found", uid: last.run.uid };
  const above = aboveOf(answer);
  const which = above === undefined ? `named ${answer.name}` : `of ${above.kind} ${above.name}`;
  const looked = isPart ? `Only the ${MOST_ROWS} Jobs of the namespace before it were searched.` : undefined;
  return { outcome: "none", noLastGood: noLastGoodOf(last.reason, which, looked) };
}

/** What makes the Jobs with which a Job is compared. A series that is created again is the same. */
function aboveOf({ series, owners }: JobAnswer) {
  const [owner] = owners;
  const above = series === undefined ? owner : { kind: series.kind, name: series.name };
  return above && { ...above, role: owner?.role };
}

interface Related {
  readonly earlier: readonly (EarlierRun & { readonly uid: JobUid })[];
  /** There may be more that were not read. */
  readonly isPart: boolean;
}

/** The newest first, as far as the first good one. */
async function relatedBefore(reading: Reading, answer: JobAnswer): Promise<Related> {
  const isAlone = aboveOf(answer) === undefined;
  const filter = { ...(isAlone && { name: answer.name }), createdBefore: createdAtOf(answer) };
  const earlier: (EarlierRun & { readonly uid: JobUid })[] = [];
  let read = 0;
  for await (const row of rowsOf(reading, answer, filter)) {
    read += 1;
    const [job] = await addGaps(reading.ports.meta, [readSummary(row)]);
    if (job === undefined || !isRelated(job, answer)) continue;
    const isComplete = job.verdict.state === "Complete";
    const isAcrossGap = job.completeness.level !== "complete";
    earlier.push({ uid: row.jobUid, createdAt: row.createdAt, isComplete, isAcrossGap });
    if (isComplete && !isAcrossGap) break;
  }
  return { earlier, isPart: read === MOST_ROWS };
}

function isRelated(job: JobAnswer, answer: JobAnswer): boolean {
  return canonical(aboveOf(job) ?? {}) === canonical(aboveOf(answer) ?? {});
}

/** The most rows that are read to find a Job. */
const MOST_ROWS = 500;
const PAGE = 100;

async function* rowsOf({ ports, scope }: Reading, answer: JobAnswer, filter: JobFilter): AsyncGenerator<PlacedRow> {
  const place = { cluster: decodeClusterName(answer.cluster), namespace: answer.namespace };
  let left = MOST_ROWS;
  for await (const row of readRows(ports, scope, { filter: { ...place, ...filter }, pageSize: PAGE })) {
    if (left === 0) return;
    left -= 1;
    yield row;
  }
}

function createdAtOf({ createdAt }: JobAnswer): Instant {
  return parseInstant(createdAt) ?? 0;
}
