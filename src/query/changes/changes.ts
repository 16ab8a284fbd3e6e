import type { JobAnswer } from "../../explain/answer-document.ts";
import type { JobFact } from "../../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import type { State } from "../../job/model/states.ts";
import { listedAnswer } from "../../projection/job-state/job-row.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { clusterNames } from "../clusters/clusters.ts";
import { decodeCursor, encodeCursor } from "../list/cursor.ts";
import { followClusters, type FollowedStep } from "./follow-clusters.ts";
import { isAskedFor, type JobFilter } from "../list/job-filter.ts";
import { formatPosition, type LogPosition, parsePosition, positionAt } from "./log-position.ts";
import type { QueryPorts } from "../ports.ts";
import { mayReadCluster, type Scope } from "../access/scope.ts";
import { readSummary } from "../list/summary-row.ts";
import type { TouchedJob } from "./touched-jobs.ts";

/** One verdict that became another, or a Job that was deleted. */
export interface JobChange {
  /** What the verdict was before; absent for a Job that was not known. */
  readonly previous?: State;
  /** The Job as lists show it, as it was when this became known. */
  readonly job: JobAnswer;
}

export interface ChangesQuery {
  readonly filter: JobFilter;
  /** Lines after which no further segment is opened: a page may hold as many more as the last segment has Jobs (400). */
  readonly limit: number;
  readonly now: Instant;
  readonly cursor?: string | undefined;
  /** Where a stream begins that has no cursor. @default now */
  readonly since?: Instant | undefined;
}

export type ChangesPage =
  | {
      readonly outcome: "listed";
      readonly items: readonly JobChange[];
      /** Where to go on from, now or in a year. */
      readonly nextCursor: string;
      /** There is more now: ask again at once. */
      readonly more: boolean;
    }
  | { readonly outcome: "badCursor"; readonly problem: string };

/** A page opens at most this many segments of the log. */
const MAX_SEGMENTS_READ = 100;

/**
 * What became of Jobs since a position, in the order of the log, cluster by cluster. Each change of a verdict is told at least once to whoever goes on
 * from cursor to cursor, also what arrives late; nearly always once. The filter is asked of the Job as it is after the change; the cursor holds the
 * position only, so that a stream may go on with another filter.
 */
export async function listChanges(ports: QueryPorts, scope: Scope, query: ChangesQuery): Promise<ChangesPage> {
  const start = startOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const clusters = await clusterNames(ports.meta, scope, query.filter.cluster);
  const positions = new Map(clusters.map((cluster) => [cluster, start.position(cluster)]));
  const items: JobChange[] = [];
  let read = 0;
  let more = false;
  for await (const step of followClusters(ports, positions, query.now)) {
    read += 1;
    for await (const change of changesOf(ports, step)) {
      if (isAskedFor(scope, query.filter, change.job)) items.push(change);
    }
    more = items.length >= query.limit || read === MAX_SEGMENTS_READ;
    if (more) break;
  }
  return { outcome: "listed", items, nextCursor: encodePositions(positions, query.now), more };
}

/** What a segment changed in the verdicts of its Jobs. */
async function* changesOf(ports: QueryPorts, { cluster, touches }: FollowedStep): AsyncGenerator<JobChange> {
  for await (const touched of touches) {
    const change = touched.fold === undefined ? await saidOf(ports, cluster, touched) : changeOf(cluster, touched);
    if (change !== undefined) yield change;
  }
}

function changeOf(cluster: ClusterName, { facts, fold, behind }: TouchedJob): JobChange | undefined {
  const now = Math.max(...facts.map(({ at }) => at));
  return [fold, behind]
    .filter((records) => records !== undefined)
    .map((records) => compare(cluster, records, now))
    .find((change) => change !== undefined);
}

function compare(
  cluster: ClusterName,
  { before, after }: { readonly before: JobRecord; readonly after: JobRecord },
  now: Instant,
): JobChange | undefined {
  if (before === after) return undefined;
  const job = listedAnswer(cluster, after, now);
  if (before.job.created === undefined && before.pods.size === 0) return { job };
  const previous = listedAnswer(cluster, before, now);
  return isSameNews(previous, job) ? undefined : { previous: previous.verdict.state, job };
}

function isSameNews(a: JobAnswer, b: JobAnswer): boolean {
  return (
    a.verdict.state === b.verdict.state &&
    a.verdict.reason === b.verdict.reason &&
    a.verdict.final === b.verdict.final &&
    (a.deletedAt === undefined) === (b.deletedAt === undefined) &&
    kindsOf(a) === kindsOf(b)
  );
}

function kindsOf({ findings }: JobAnswer): string {
  return findings.map(({ kind }) => kind).join();
}

/** Facts of the Job object that change its verdict by themselves. */
const TELLING: ReadonlySet<JobFact["kind"]> = new Set(["JobCreated", "JobFinished", "JobDeleted", "JobVanished"]);

/** Of a Job of very many segments: that its own object said something telling, and the Job as it is now. */
async function saidOf(
  { jobs }: QueryPorts,
  cluster: ClusterName,
  { jobUid, facts }: TouchedJob,
): Promise<JobChange | undefined> {
  if (!facts.some(({ kind }) => TELLING.has(kind))) return undefined;
  const row = (await jobs.read({ cluster, jobUid }))?.row;
  return row === undefined ? undefined : { job: readSummary(row) };
}

const QUESTION = "changes";

/** Positions by cluster, and when they were: a cluster that is heard of for the first time is followed from then. */
function encodePositions(positions: ReadonlyMap<ClusterName, LogPosition>, now: Instant): string {
  const fields = [...positions].map(([cluster, position]) => `${cluster}|${formatPosition(position)}`);
  return encodeCursor(QUESTION, [now, ...fields]);
}

/** A cursor without the clusters that the reader must not know of: one that others' changes were read by names all of them. */
export function scopedCursor(scope: Scope, cursor: string): string {
  const decoded = decodeCursor(QUESTION, cursor, ([madeAt, ...fields]) => {
    const known = fields.filter((field) => typeof field === "string");
    const own = known.filter((field) => mayReadCluster(scope, readField(field)?.[0] ?? ""));
    return typeof madeAt === "number" ? [madeAt, ...own] : undefined;
  });
  return decoded.outcome === "decoded" ? encodeCursor(QUESTION, decoded.position) : cursor;
}

type Start =
  | { readonly outcome: "starts"; readonly position: (cluster: ClusterName) => LogPosition }
  | { readonly outcome: "refused"; readonly problem: string };

function startOf({ cursor, since, now }: ChangesQuery): Start {
  // What is sealed now arrives in a moment: a stream that begins now begins a little earlier.
  const beginning = positionAt(since ?? now - SETTLED_AFTER_MS);
  if (cursor === undefined) return { outcome: "starts", position: () => beginning };
  const decoded = decodeCursor(QUESTION, cursor, ([madeAt, ...fields]) => {
    const known = fields.map(readField).filter((entry) => entry !== undefined);
    if (typeof madeAt !== "number" || !Number.isSafeInteger(madeAt) || known.length < fields.length) return undefined;
    return { madeAt, positions: new Map(known) };
  });
  if (decoded.outcome === "refused") return decoded;
  const { madeAt, positions } = decoded.position;
  const unheardOf = positionAt(madeAt - SETTLED_AFTER_MS);
  return { outcome: "starts", position: (cluster) => positions.get(cluster) ?? unheardOf };
}

function readField(field: unknown): readonly [ClusterName, LogPosition] | undefined {
  if (typeof field !== "string") return undefined;
  const cut = field.indexOf("|");
  const cluster = decodeClusterName(field.slice(0, cut));
  const position = parsePosition(field.slice(cut + 1));
  return cluster === undefined || position === undefined ? undefined : [cluster, position];
}
