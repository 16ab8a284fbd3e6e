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
import { isSelected, type JobFilter } from "../list/job-filter.ts";
import { formatPosition, type LogPosition, parsePosition, positionAt } from "./log-position.ts";
import type { QueryPorts } from "../ports.ts";
import { mayReadCluster, type Scope } from "../access/scope.ts";
import { readSummary } from "../list/summary-row.ts";
import type { TouchedJob } from "./touched-jobs.ts";

/** A status change: a new verdict, new findings, or a deletion. */
export interface JobChange {
  /** The previous state. Absent for a new Job. */
  readonly previous?: State;
  /** The Job as lists show it, right after the change. */
  readonly job: JobAnswer;
}

export interface ChangesQuery {
  readonly filter: JobFilter;
  /** No further segment is read after this many changes. The last segment may add up to 400 more. */
  readonly limit: number;
  readonly now: Instant;
  readonly cursor?: string | undefined;
  /** Where to begin without a cursor. @default now */
  readonly since?: Instant | undefined;
}

export type ChangesPage =
  | {
      readonly outcome: "listed";
      readonly items: readonly JobChange[];
      /** The cursor for later changes. It does not expire. */
      readonly nextCursor: string;
      /** Whether further changes are available now. */
      readonly more: boolean;
    }
  | { readonly outcome: "badCursor"; readonly problem: string };

/** A page reads at most this many segments of the log. */
const MAX_SEGMENTS_READ = 100;

/**
 * The status changes since a cursor, in the order of the log, cluster by cluster. A caller that follows the cursors
 * gets every change at least once, late ones included. The filter applies to the Job after the change. The cursor
 * contains no filter, so that a stream may continue with another one.
 */
export async function listChanges(ports: QueryPorts, scope: Scope, query: ChangesQuery): Promise<ChangesPage> {
  const start = startOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const clusters = await clusterNames(ports.meta, scope, query.filter.cluster);
  const positions = new Map(clusters.map((cluster) => [cluster, start.position(cluster)]));
  const items: JobChange[] = [];
  let read = 0;
  let more = false;
  for await (const step of followClusters(ports, { positions, scope, now: query.now })) {
    read += 1;
    for await (const change of changesOf(ports, step)) {
      if (isSelected(scope, query.filter, change.job)) items.push(change);
    }
    more = items.length >= query.limit || read === MAX_SEGMENTS_READ;
    if (more) break;
  }
  return { outcome: "listed", items, nextCursor: encodePositions(positions, query.now), more };
}

/** The status changes that a segment causes. */
async function* changesOf(ports: QueryPorts, { cluster, touches }: FollowedStep): AsyncGenerator<JobChange> {
  for await (const touched of touches) {
    const change =
      touched.fold === undefined ? await reportedChange(ports, cluster, touched) : changeOf(cluster, touched);
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
  return hasSameStatus(previous, job) ? undefined : { previous: previous.verdict.state, job };
}

function hasSameStatus(a: JobAnswer, b: JobAnswer): boolean {
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

/** Facts that change the status of a Job on their own. */
const STATUS_FACTS: ReadonlySet<JobFact["kind"]> = new Set(["JobCreated", "JobFinished", "JobDeleted", "JobVanished"]);

/** For a Job with very many segments: its current state, if the segment has a fact about its status. */
async function reportedChange(
  { jobs }: QueryPorts,
  cluster: ClusterName,
  { jobUid, facts }: TouchedJob,
): Promise<JobChange | undefined> {
  if (!facts.some(({ kind }) => STATUS_FACTS.has(kind))) return undefined;
  const row = (await jobs.read({ cluster, jobUid }))?.row;
  return row === undefined ? undefined : { job: readSummary(row) };
}

/** Identifies cursors of changes. Part of every cursor, so it must not change. */
const CURSOR_KIND = "changes";

/** Encodes the positions and the current time, at which a new cluster is followed from. */
function encodePositions(positions: ReadonlyMap<ClusterName, LogPosition>, now: Instant): string {
  const fields = [...positions].map(([cluster, position]) => `${cluster}|${formatPosition(position)}`);
  return encodeCursor(CURSOR_KIND, [now, ...fields]);
}

/** Removes clusters that the reader may not know from a cursor. The cursor of the shared hub names all clusters. */
export function scopedCursor(scope: Scope, cursor: string): string {
  const decoded = decodeCursor(CURSOR_KIND, cursor, ([madeAt, ...fields]) => {
    const known = fields.filter((field) => typeof field === "string");
    const own = known.filter((field) => mayReadCluster(scope, readField(field)?.[0] ?? ""));
    return typeof madeAt === "number" ? [madeAt, ...own] : undefined;
  });
  return decoded.outcome === "decoded" ? encodeCursor(CURSOR_KIND, decoded.position) : cursor;
}

type Start =
  | { readonly outcome: "starts"; readonly position: (cluster: ClusterName) => LogPosition }
  | { readonly outcome: "refused"; readonly problem: string };

function startOf({ cursor, since, now }: ChangesQuery): Start {
  // Segments arrive some time after they are sealed, so a stream begins a little earlier.
  const beginning = positionAt(since ?? now - SETTLED_AFTER_MS);
  if (cursor === undefined) return { outcome: "starts", position: () => beginning };
  const decoded = decodeCursor(CURSOR_KIND, cursor, ([madeAt, ...fields]) => {
    const known = fields.map(readField).filter((entry) => entry !== undefined);
    if (typeof madeAt !== "number" || !Number.isSafeInteger(madeAt) || known.length < fields.length) return undefined;
    return { madeAt, positions: new Map(known) };
  });
  if (decoded.outcome === "refused") return decoded;
  const { madeAt, positions } = decoded.position;
  const newCluster = positionAt(madeAt - SETTLED_AFTER_MS);
  return { outcome: "starts", position: (cluster) => positions.get(cluster) ?? newCluster };
}

function readField(field: unknown): readonly [ClusterName, LogPosition] | undefined {
  if (typeof field !== "string") return undefined;
  const cut = field.indexOf("|");
  const cluster = decodeClusterName(field.slice(0, cut));
  const position = parsePosition(field.slice(cut + 1));
  return cluster === undefined || position === undefined ? undefined : [cluster, position];
}
