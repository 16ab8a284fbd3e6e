import type { JobFact } from "../../job/model/fact.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import { listedAnswer } from "../../projection/job-state/derive-row.ts";
import { hasSameStatus, type JobChange } from "../../projection/changes/announced-change.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { clusterNames } from "../clusters/clusters.ts";
import { followClusters, type FollowedStep } from "./follow-clusters.ts";
import type { EarlyReturns } from "./follow-log.ts";
import { decodeFeed, encodeFeed, feedFrom, followFeed, type FeedPosition } from "./follow-feed.ts";
import {
  decodeFollow,
  encodeFollow,
  followFrom,
  type FollowPosition,
  LOG_LAYOUT,
  MAX_GIVEN,
} from "./follow-position.ts";
import { isSelected, type JobFilter } from "../list/job-filter.ts";
import { CHANGES_BEGIN_KEY } from "../../ports/meta-key.ts";
import { changesBegin } from "../../ports/records/changes-record.ts";
import { readRecord } from "../../ports/records/record-codec.ts";
import type { QueryPorts } from "../ports.ts";
import type { Scope } from "../access/scope.ts";
import { readSummary } from "../list/summary-row.ts";
import type { TouchedJob } from "./touched-jobs.ts";

export type { JobChange } from "../../projection/changes/announced-change.ts";

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
      /** Whether further changes may be available now. */
      readonly more: boolean;
      /** How many clusters were to be read. */
      readonly clusters: number;
    }
  | { readonly outcome: "badCursor"; readonly problem: string };

/** A page reads at most this many segments of the log. */
const MAX_SEGMENTS_READ = 100;

/** A reader of more clusters gets changes once their segments have settled, and lists none in its cursor. */
const MAX_EARLY_CLUSTERS = 32;

/**
 * The status changes since a cursor: those that projectors announced, in this order, or those of the log, in its order
 * and cluster by cluster. A caller that follows the cursors gets every change at least once, late ones included. The
 * filter applies to the Job after the change. The cursor contains no filter, so that a stream may continue with another
 * one.
 */
export async function listChanges(ports: QueryPorts, scope: Scope, query: ChangesQuery): Promise<ChangesPage> {
  if (ports.hasChangeFeed === true) return listAnnounced(ports, scope, query);
  const start = startOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const { position, ...page } = await followChanges(ports, scope, { ...query, position: start.position });
  return { outcome: "listed", ...page, nextCursor: encodeFollow(position, scope) };
}

export interface FollowQuery extends Pick<ChangesQuery, "filter" | "limit" | "now"> {
  readonly position: FollowPosition;
  /** Returns every change at once. Its positions may list more segments than a cursor can. @default false */
  readonly isPrompt?: boolean;
}

/** The changes after a position, and the position after them. */
export interface FollowedChanges {
  readonly items: readonly JobChange[];
  readonly position: FollowPosition;
  readonly more: boolean;
  /** How many clusters were to be read. */
  readonly clusters: number;
}

/** The same for a reader in this process, which keeps its position. */
export async function followChanges(ports: QueryPorts, scope: Scope, query: FollowQuery): Promise<FollowedChanges> {
  const clusters = (await clusterNames(ports.meta, scope, query.filter.cluster)).toSorted(compareText);
  const { now, position } = query;
  const early = earlyReturns(query, clusters.length);
  const steps = followClusters(ports, { clusters, position, scope, now, early });
  const items: JobChange[] = [];
  let read = 0;
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done === true) return { items, ...step.value, clusters: clusters.length };
    read += 1;
    for await (const change of changesOf(ports, step.value)) {
      if (isSelected(scope, query.filter, change.job)) items.push(change);
    }
    if (items.length < query.limit && read < MAX_SEGMENTS_READ) continue;
    return { items, position: step.value.position, more: true, clusters: clusters.length };
  }
}

function earlyReturns({ isPrompt = false, position }: FollowQuery, clusters: number): EarlyReturns {
  if (isPrompt) return "all";
  return clusters > MAX_EARLY_CLUSTERS ? "none" : { left: MAX_GIVEN - position.given.length };
}

/** The status changes that a segment causes. */
async function* changesOf(
  ports: QueryPorts,
  { cluster, touches }: Pick<FollowedStep, "cluster" | "touches">,
): AsyncGenerator<JobChange> {
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

type Start =
  | { readonly outcome: "decoded"; readonly position: FollowPosition }
  | { readonly outcome: "refused"; readonly problem: string };

/** Segments arrive some time after they are sealed, so a stream begins a little earlier than now. */
function startOf({ cursor, since, now }: ChangesQuery): Start {
  if (cursor !== undefined) return decodeFollow(cursor);
  return { outcome: "decoded", position: followFrom(since ?? now - SETTLED_AFTER_MS) };
}

/** How long after the first announcement projectors of an earlier release, which announce nothing, may still run. */
const OLD_PROJECTORS_MS = 10 * 60_000;

/** Changes from before the first announcement are read from the log, and then announced ones. */
async function listAnnounced(ports: QueryPorts, scope: Scope, query: ChangesQuery): Promise<ChangesPage> {
  const start = feedStartOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const { position } = start;
  if (position.layout === "feed") return listFeed(ports, scope, { ...query, from: position.feed });
  const since = (await readRecord(ports.meta, changesBegin, CHANGES_BEGIN_KEY))?.value.since ?? query.now;
  if (position.log.from >= since) return listFeed(ports, scope, { ...query, from: feedFrom(position.log.from) });
  if (await hasEarlierLog(ports)) return listLogged(ports, scope, { ...query, position: position.log, since });
  return listFeed(ports, scope, { ...query, from: feedFrom(Math.min(since, query.now - SETTLED_AFTER_MS)) });
}

/** Changes from the log, until all projectors announce theirs. `since`: when the first was announced. */
async function listLogged(
  ports: QueryPorts,
  scope: Scope,
  query: ChangesQuery & { readonly position: FollowPosition; readonly since: Instant },
): Promise<ChangesPage> {
  const logEnd = Math.min(query.now, query.since + OLD_PROJECTORS_MS);
  const { position: next, ...page } = await followChanges(ports, scope, { ...query, now: logEnd });
  const isOver = next.pass === undefined && next.from >= logEnd - SETTLED_AFTER_MS && query.now > logEnd;
  const nextCursor = isOver ? encodeFeed(feedFrom(query.since)) : encodeFollow(next, scope, LOG_LAYOUT);
  return { outcome: "listed", ...page, nextCursor, more: isOver || page.more };
}

/** Whether projectors of an earlier release may have followed this log. A new stage has announced all changes. */
async function hasEarlierLog({ meta }: QueryPorts): Promise<boolean> {
  return (await meta.list("logDay", { prefix: "", limit: 1 })).records.length > 0;
}

/** Announced changes. A call costs the same for any number of clusters, so it counts as one. */
async function listFeed(
  { meta }: QueryPorts,
  scope: Scope,
  query: ChangesQuery & { readonly from: FeedPosition },
): Promise<ChangesPage> {
  const { position, ...page } = await followFeed(meta, query, ({ job }) => isSelected(scope, query.filter, job));
  return { outcome: "listed", ...page, nextCursor: encodeFeed(position), clusters: 1 };
}

type FeedStart =
  | { readonly outcome: "decoded"; readonly position: AnyPosition }
  | { readonly outcome: "refused"; readonly problem: string };

type AnyPosition =
  | { readonly layout: "feed"; readonly feed: FeedPosition }
  | { readonly layout: "log"; readonly log: FollowPosition };

function feedStartOf({ cursor, since, now }: ChangesQuery): FeedStart {
  if (cursor === undefined) {
    return { outcome: "decoded", position: { layout: "log", log: followFrom(since ?? now - SETTLED_AFTER_MS) } };
  }
  const feed = decodeFeed(cursor);
  if (feed !== undefined) return { outcome: "decoded", position: { layout: "feed", feed } };
  const log = decodeFollow(cursor, LOG_LAYOUT);
  return log.outcome === "refused" ? log : { outcome: "decoded", position: { layout: "log", log: log.position } };
}
