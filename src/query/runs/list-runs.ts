import type { RunAnswer } from "../../explain/run/run-document.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { ListedJob } from "../../ports/job-row.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { markStale } from "../clusters/freshness.ts";
import { addGapsBy } from "../clusters/known-gaps.ts";
import { type ListPage, listRows } from "../list/list-jobs.ts";
import { pageOfItems, type Paged, type Place } from "../list/page.ts";
import type { RunPorts } from "../ports.ts";
import { answerRow } from "./answer-row.ts";
import { matchesRun, type RunFilter } from "./run-filter.ts";
import { RUN_GAPS } from "./run-gaps.ts";

export interface RunListQuery {
  readonly filter: RunFilter;
  /** The filter with times as the reader wrote them, which stay the same for every page. */
  readonly written: unknown;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly now: Instant;
}

/** One page of the runs that match the filter, newest first. The list reads the rows of runs only, not their Jobs. */
export async function listRuns(ports: RunPorts, scope: Scope, query: RunListQuery): Promise<Paged<RunAnswer>> {
  const { filter, now } = query;
  const page = filter.externalId === undefined ? await rowsOf(ports, scope, query) : await known(ports, scope, query);
  return page.outcome === "badCursor" ? page : { ...page, items: await marked(ports, page.items, now) };
}

function rowsOf({ runs, meta }: RunPorts, scope: Scope, query: RunListQuery): Promise<ListPage<RunAnswer>> {
  const { filter, written } = query;
  const { cluster, namespace, name, createdAfter, createdBefore } = filter;
  // Runs that have failed need attention, and no others.
  const attention = filter.attention === true || filter.states?.every((state) => state === "Failed") === true;
  return listRows({ jobs: runs, meta }, scope, {
    ...query,
    filter: { cluster, namespace, name, createdAfter, createdBefore, attention },
    written: { runs: written },
    itemIn: (row) => (attention && !row.attention ? undefined : itemOf(row, filter)),
  });
}

/** The most runs of one id. Another system rarely gives an id to more than one. */
const MAX_KNOWN = 100;

function placeOf({ createdAt, cluster, namespace, kind, name, uid = "" }: RunAnswer): Place {
  return [-(parseInstant(createdAt) ?? 0), cluster, namespace, kind, name, uid];
}

/** In two requests to DynamoDB: the index of ids, and the rows. */
async function known({ runs }: RunPorts, scope: Scope, query: RunListQuery): Promise<Paged<RunAnswer>> {
  const { filter, written } = query;
  const rows = await runs.listByExternalId(filter.externalId ?? "", MAX_KNOWN);
  const items = rows
    .filter(({ cluster, namespace }) => mayRead(scope, cluster, namespace))
    .flatMap((row) => itemOf(row, filter) ?? []);
  return pageOfItems({ items, placeOf, question: { runs: written } }, query);
}

function itemOf(row: ListedJob & { readonly cluster: ClusterName }, filter: RunFilter): RunAnswer | undefined {
  const run = answerRow(row);
  return run !== undefined && matchesRun(filter, run) ? run : undefined;
}

/** With the gaps of their clusters, and marked stale where a cluster is silent. */
export async function marked({ meta }: Pick<RunPorts, "meta">, runs: readonly RunAnswer[], now: Instant) {
  return markStale(meta, await addGapsBy(meta, runs, RUN_GAPS), now);
}
