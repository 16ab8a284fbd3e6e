import pLimit from "p-limit";
import type { ClusterName } from "../../job/model/ids.ts";
import { EARLIEST, formatInstant, type Instant, HOUR_MILLIS, hourOf, LATEST } from "../../job/model/instant.ts";
import type { CountCell, CountedHours, JobSums } from "../../ports/sums/job-sums.ts";
import { mayRead, mayReadAll, type Scope } from "../access/scope.ts";
import { clusterNames } from "../clusters/clusters.ts";
import type { JobFilter } from "../list/job-filter.ts";
import { readRows } from "../list/list-jobs.ts";
import type { QueryPorts } from "../ports.ts";
import { tallyRows } from "./row-tally.ts";
import { type SummaryAnswer, SummaryTallies } from "./summary.ts";
import { keyOfGroup, type SummaryGrouping } from "./summary-group.ts";

export interface SumsQuery {
  readonly filter: JobFilter;
  readonly by?: SummaryGrouping | undefined;
}

/** Clusters that are read at the same time. */
const CLUSTERS_AT_ONCE = 16;
/** Up to this number, Jobs are read from their rows, which are current, while counts are up to some minutes old. */
const FEW = 500;

/**
 * The most Jobs in a part of an hour that a summary reads. If there are more, the summary begins at a whole hour, and
 * says so.
 */
const MOST_IN_PART = 5_000;

/**
 * The summary from the sums of whole hours (src/count), and from the rows of the Jobs in the parts of hours at both
 * ends. It is exact for any number of Jobs in whole hours. `undefined` if rows must be read instead: without sums, for
 * few Jobs, or if the part of an hour before `createdBefore` has too many Jobs.
 */
export async function summaryOfSums(
  ports: QueryPorts,
  scope: Scope,
  { filter, by }: SumsQuery,
): Promise<SummaryAnswer | undefined> {
  const counted = await countedRange(ports, scope, filter);
  if (counted === undefined) return undefined;
  const into = new SummaryTallies();
  await addSums(ports, scope, { filter, by, into, counted });
  if (into.jobs <= FEW) return undefined;
  const { from, to, isFrom, isTo } = counted;
  const tally = (range: JobFilter, bound?: number) =>
    tallyRows(ports, scope, { filter: { ...filter, ...range }, by, into, ...(bound !== undefined && { bound }) });
  if (!isTo && !(await tally({ createdAfter: to - 1 }, MOST_IN_PART)).complete) return undefined;
  const older = { createdBefore: from };
  const completeness = isFrom ? COMPLETE : await tally(older, counted.isSince ? undefined : MOST_IN_PART);
  return { ...into.answer(by !== undefined), ...asOf(counted), ...completeness };
}

const COMPLETE = { complete: true } as const;

function asOf({ countedTo }: CountedRange): Pick<SummaryAnswer, "asOf"> {
  return countedTo === undefined ? {} : { asOf: { time: formatInstant(countedTo) } };
}

interface CountedRange {
  /** The time as of which the counts are complete. */
  readonly countedTo: Instant | undefined;
  readonly sums: JobSums;
  /** The first whole hour of the filter that is counted. */
  readonly from: Instant;
  /** Whether the filter has no Jobs before it. */
  readonly isFrom: boolean;
  /** Whether Jobs before it are not counted yet. */
  readonly isSince: boolean;
  /** The end of the last whole hour. */
  readonly to: Instant;
  /** Whether the filter has no Jobs after it. */
  readonly isTo: boolean;
}

/** The hours of the filter that are counted. */
async function countedRange(ports: QueryPorts, scope: Scope, filter: JobFilter): Promise<CountedRange | undefined> {
  const { sums } = ports;
  const counted = await sums?.counted();
  if (sums === undefined || counted === undefined) return undefined;
  const { since, countedTo } = counted;
  const { createdAfter, createdBefore } = await withoutFuture(ports, scope, filter);
  const whole = wholeHours(createdAfter, createdBefore);
  const from = Math.max(whole.from, since);
  if (from >= whole.to) return undefined;
  const isFrom = createdAfter === undefined ? since <= EARLIEST : createdAfter >= from - 1;
  const isTo = createdBefore === undefined || createdBefore <= whole.to;
  return { countedTo, sums, from, isFrom, isSince: from > whole.from, to: whole.to, isTo };
}

/** Removes an upper bound after which there are no Jobs: otherwise "until now" would count as a part of an hour. */
async function withoutFuture(ports: QueryPorts, scope: Scope, filter: JobFilter): Promise<JobFilter> {
  const { createdBefore, cluster, namespace } = filter;
  if (createdBefore === undefined) return filter;
  const later = { cluster, namespace, createdAfter: createdBefore - 1 };
  for await (const _ of readRows(ports, scope, { filter: later, pageSize: 1 })) return filter;
  return { ...filter, createdBefore: undefined };
}

interface SumsRun extends Pick<SumsQuery, "filter" | "by"> {
  readonly into: SummaryTallies;
  readonly counted: CountedRange;
}

async function addSums({ meta }: QueryPorts, scope: Scope, { filter, by, into, counted }: SumsRun): Promise<void> {
  const { sums, from, to } = counted;
  const clusters = await clusterNames(meta, scope, filter.cluster);
  await pLimit(CLUSTERS_AT_ONCE).map(clusters, async (cluster) => {
    const isAll = mayReadAll(scope, cluster) && filter.namespace === undefined;
    const isWanted = (cell: CountCell) => isAll || isGranted(scope, cluster, { ...cell, wanted: filter.namespace });
    const hours: CountedHours = { from, to, ...groupingOf(by), withNamespaces: !isAll };
    for await (const cell of sums.read(cluster, hours)) {
      if (!isWanted(cell) || filter.states?.includes(cell.state) === false) continue;
      const key = by && keyOfGroup(by, { cluster, ...cell });
      for (const tally of into.of(key)) tally.addCounted(cell);
    }
  });
}

/** A sum includes all namespaces of its cluster. Namespaces that the reader may not see are left out here. */
function isGranted(scope: Scope, cluster: ClusterName, { namespace, wanted }: GrantedNamespace): boolean {
  return mayRead(scope, cluster, namespace) && (wanted ?? namespace) === namespace;
}

interface GrantedNamespace {
  readonly namespace: string;
  /** The namespace that the filter selects. */
  readonly wanted: string | undefined;
}

function groupingOf(by: SummaryGrouping | undefined): Pick<CountedHours, "by" | "byDay"> {
  switch (by) {
    case "hour":
      return { by: "hour" };
    case "owner":
      return { by: "owner" };
    case "day":
      return { by: "namespace", byDay: true };
    case "cluster":
    case "namespace":
    case undefined:
      return { by: "namespace" };
  }
}

/** The whole hours strictly between two instants, which are exclusive. */
export function wholeHours(
  createdAfter: Instant | undefined,
  createdBefore: Instant | undefined,
): { readonly from: Instant; readonly to: Instant } {
  return {
    from: createdAfter === undefined ? EARLIEST : hourOf(createdAfter + HOUR_MILLIS),
    to: createdBefore === undefined ? hourOf(LATEST) : hourOf(createdBefore),
  };
}
