import * as v from "valibot";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { type AnswerOf, maybe, text } from "../../explain/answer-parts.ts";
import { EARLIEST, formatInstant, type Instant } from "../../job/model/instant.ts";
import type { Scope } from "../access/scope.ts";
import type { QueryPorts } from "../ports.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { matchesRow } from "./job-filter.ts";
import { type JobListQuery, markedItems, readRows } from "./list-jobs.ts";
import { beforeInstant } from "./merged-rows.ts";
import { comparePlaces, type JobSort, placeOf, type SortPlace } from "./sort-order.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";

export interface SortedJobsQuery extends Omit<JobListQuery, "order"> {
  readonly sort: JobSort;
  readonly now: Instant;
}

export type SortedJobs =
  | {
      readonly outcome: "listed";
      readonly items: readonly JobAnswer[];
      readonly nextCursor?: string;
      readonly sorted: SortedRange;
    }
  | { readonly outcome: "badCursor"; readonly problem: string };

export const sortedSchema = v.pipe(
  v.object({
    complete: v.pipe(v.boolean(), v.description("Whether all Jobs that match are in the list.")),
    since: maybe(v.pipe(text, v.description("If not: the list has the Jobs created at this time or later."))),
  }),
  v.description("Which Jobs were sorted. Absent in the order of creation, which has all Jobs."),
);
export type SortedRange = AnswerOf<typeof sortedSchema>;

/** How many of the newest Jobs a list sorts, unless the store says otherwise. */
const MOST_SORTED = 1_000;
const PAGE = 500;

/**
 * One page of the newest Jobs that the reader may see, sorted. Stores sort by creation only, so each page reads the
 * same Jobs again and costs the same at any position.
 */
export async function listSortedJobs(ports: QueryPorts, scope: Scope, query: SortedJobsQuery): Promise<SortedJobs> {
  const start = startOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const { sort, limit } = query;
  const { after, newest, now } = start.position;
  const range = await readRange(ports, scope, { ...query, newest });
  const silent = sort.by === "duration" ? await unfinishedAt(ports, range.jobs, now) : undefined;
  const placed = range.jobs
    .map((job) => ({ job, place: placeOf(silent?.get(job) ?? job, sort.by, now) }))
    .filter(({ place }) => after === undefined || comparePlaces(place, after, sort.descending) > 0)
    .toSorted((a, b) => comparePlaces(a.place, b.place, sort.descending));
  const page = placed.slice(0, limit);
  const last = page.at(-1);
  const next = last !== undefined && placed.length > limit && { after: last.place, newest: range.newest, now };
  return {
    outcome: "listed",
    items: await markedItems(
      ports,
      page.map(({ job }) => job),
      query,
    ),
    sorted: range.since === undefined ? { complete: true } : { complete: false, since: formatInstant(range.since) },
    ...(next && { nextCursor: encodePosition(query, next) }),
  };
}

/** Unfinished Jobs as a list shows them: in a silent cluster, they are running until its last data. */
async function unfinishedAt(
  ports: QueryPorts,
  jobs: readonly JobAnswer[],
  now: Instant,
): Promise<ReadonlyMap<JobAnswer, JobAnswer>> {
  const unfinished = jobs.filter(({ verdict }) => !verdict.final);
  const marked = await markedItems(ports, unfinished, { now });
  return new Map(unfinished.flatMap((job, index) => marked.slice(index, index + 1).map((shown) => [job, shown])));
}

interface Range {
  readonly jobs: readonly JobAnswer[];
  /** The creation of the newest Job that was read: later pages begin there, whatever is created in the meantime. */
  readonly newest: Instant;
  /** All Jobs since this instant are in the range, and older ones are not. Absent if the range has all Jobs. */
  readonly since?: Instant;
}

/**
 * The newest Jobs up to the limit. If Jobs of one instant exceed it, none of them is included, unless they are the only
 * ones.
 */
async function readRange(
  { jobs, meta }: QueryPorts,
  scope: Scope,
  { filter, newest: start, usage }: SortedJobsQuery & { readonly newest: Instant | undefined },
): Promise<Range> {
  const { mostSorted = MOST_SORTED } = jobs;
  const after = start === undefined ? undefined : beforeInstant(start, "newest");
  const read: { readonly createdAt: Instant; readonly job: JobAnswer | undefined }[] = [];
  for await (const row of readRows({ jobs, meta }, scope, { filter, after, pageSize: PAGE })) {
    if (read.length === mostSorted) return cutAt(row.createdAt, read);
    const job = readSummary(row, usage);
    read.push({ createdAt: row.createdAt, job: matchesRow(filter, row, job) ? job : undefined });
  }
  return { jobs: read.flatMap(({ job }) => job ?? []), newest: read[0]?.createdAt ?? EARLIEST };
}

function cutAt(
  cut: Instant,
  read: readonly { readonly createdAt: Instant; readonly job: JobAnswer | undefined }[],
): Range {
  const newest = read[0]?.createdAt ?? cut;
  const kept = newest === cut ? read : read.filter(({ createdAt }) => createdAt > cut);
  return { jobs: kept.flatMap(({ job }) => job ?? []), newest, since: kept.at(-1)?.createdAt ?? cut };
}

/** Where a page begins. `now` is the instant of the first page, because the durations of running Jobs depend on it. */
interface Position {
  readonly newest: Instant | undefined;
  readonly now: Instant;
  readonly after: SortPlace | undefined;
}

type Start =
  | { readonly outcome: "decoded"; readonly position: Position }
  | { readonly outcome: "refused"; readonly problem: string };

function startOf(query: SortedJobsQuery): Start {
  const { cursor, now } = query;
  if (cursor === undefined) return { outcome: "decoded", position: { newest: undefined, now, after: undefined } };
  return decodeCursor(questionOf(query), cursor, ([newest, instant, uid, cluster, key]) => {
    if (!Number.isSafeInteger(newest) || !Number.isSafeInteger(instant)) return undefined;
    if (typeof uid !== "string" || typeof cluster !== "string") return undefined;
    if (key !== undefined && typeof key !== "string" && typeof key !== "number") return undefined;
    return { newest: Number(newest), now: Number(instant), after: { key, uid, cluster } };
  });
}

function encodePosition(query: SortedJobsQuery, { newest, now, after }: Required<Position>): string {
  const { key, uid = "", cluster = "" } = after ?? { key: undefined };
  return encodeCursor(questionOf(query), [newest ?? now, now, uid, cluster, ...(key === undefined ? [] : [key])]);
}

function questionOf({ filter, written = filter, sort }: SortedJobsQuery): unknown {
  return { filter: written, sort };
}
