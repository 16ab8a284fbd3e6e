import pLimit from "p-limit";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { readJob } from "../../projection/job-state/read-job.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { Scope } from "../access/scope.ts";
import { storedCategories } from "../job/stored-category.ts";
import { type JobFilter, matchesRow } from "../list/job-filter.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import type { QueryPorts } from "../ports.ts";
import { readInPages } from "../list/read-in-pages.ts";
import { NodeTallies } from "./node-tallies.ts";
import type { NodesAnswer } from "../../explain/nodes/nodes-schema.ts";

export interface NodesQuery {
  readonly filter: JobFilter;
  readonly since: Instant;
  /** The most nodes to return. */
  readonly limit: number;
}

/** The most Jobs whose Pods one answer reads, newest first. */
const MOST_JOBS = 10_000;
const AT_ONCE = 32;

/** The nodes on which most Pods failed, compared with all others. Only the Pods of Jobs that the reader may see. */
export async function failingNodes(
  ports: QueryPorts,
  scope: Scope,
  { filter, since, limit }: NodesQuery,
): Promise<NodesAnswer> {
  const tallies = new NodeTallies();
  const among = pLimit(AT_ONCE);
  const read = await readInPages(ports, scope, {
    filter: { ...filter, createdAfter: since - 1 },
    bound: MOST_JOBS,
    add: async (rows) => void (await among.map(rows, (row) => addJob(ports, { filter, row }, tallies))),
  });
  return { since: formatInstant(since), ...tallies.answer(limit), ...read };
}

async function addJob(
  { jobs }: QueryPorts,
  { filter, row }: { readonly filter: JobFilter; readonly row: PlacedRow },
  tallies: NodeTallies,
): Promise<void> {
  const job = readSummary(row);
  if (job.pods.succeeded + job.pods.failed === 0 || !matchesRow(filter, row, job)) return;
  const view = await readJob(jobs, row);
  if (view === undefined) return;
  const categoryOf = storedCategories(view);
  for await (const pod of view.ownPods()) tallies.add(row, pod, categoryOf);
}
