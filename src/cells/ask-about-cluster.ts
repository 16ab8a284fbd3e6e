import { PROBLEM_MEDIA_TYPE, type Problem, problem } from "../http/contract/problem.ts";
import type { JobAnswer } from "../explain/answer-document.ts";
import type { Cell } from "../ports/records/cell-registry-record.ts";
import { mayReadCluster } from "../query/access/scope.ts";
import { cellsOf } from "./cell-registry.ts";
import { cellsUnavailable, type CellReader, fanOut } from "./fan-out.ts";
import { type CellsReply, incomplete } from "./list-over-cells.ts";

/** The answer of one cell, or the reason why there is none. */
export type RoutedReply =
  | {
      readonly outcome: "routed";
      readonly response: Response;
      /** Cells that have earlier Jobs of the cluster and were not asked. */
      readonly notAsked: readonly Cell[];
    }
  | { readonly outcome: "refused"; readonly problem: Problem };

export interface ClusterQuestion {
  readonly cluster: string;
  /** Path and query. */
  readonly target: string;
}

/** The function of API Gateway has 29 s, and a wait takes 25 s of them. */
const TIMEOUT_MILLIS = 27_000;

/**
 * Asks the cell of a cluster, then those that had the cluster before, until one knows the object. If the cluster is
 * assigned to none, it may be in any.
 */
export async function askAboutCluster(
  { registry, scope, ask, headers }: CellReader,
  { cluster, target }: ClusterQuestion,
): Promise<RoutedReply> {
  if (!mayReadCluster(scope, cluster)) return { outcome: "refused", problem: unknownCluster(cluster) };
  const silent: SilentCell[] = [];
  let missing: Response | undefined;
  for (const [index, cell] of cellsOf(registry, cluster).entries()) {
    const reply = await ask(cell, { target, headers, timeoutMillis: TIMEOUT_MILLIS });
    const reason = reply.outcome === "unavailable" ? reply.reason : failureOf(reply.response);
    if (reason !== undefined) silent.push({ cell: cell.name, reason });
    if (reply.outcome === "unavailable" || reason !== undefined) continue;
    const { response } = reply;
    if (response.status !== 404) {
      return { outcome: "routed", response, notAsked: assignedAfter(registry, cluster, index) };
    }
    if (missing === undefined || (await isUnknownCluster(missing))) missing = response;
  }
  return notFound(cluster, silent, missing);
}

interface SilentCell {
  readonly cell: string;
  readonly reason: string;
}

async function notFound(
  cluster: string,
  silent: readonly SilentCell[],
  missing: Response | undefined,
): Promise<RoutedReply> {
  // A cell that did not answer may know the object.
  if (silent.length > 0 || missing === undefined) return { outcome: "refused", problem: cellsUnavailable(silent) };
  if (await isUnknownCluster(missing)) return { outcome: "refused", problem: unknownCluster(cluster) };
  return { outcome: "routed", response: missing, notAsked: [] };
}

function failureOf({ status }: Response): string | undefined {
  return status < 500 ? undefined : `It answered ${status}. Its log has the cause.`;
}

function assignedAfter(registry: CellReader["registry"], cluster: string, index: number): readonly Cell[] {
  return Object.hasOwn(registry.clusters, cluster) ? cellsOf(registry, cluster).slice(index + 1) : [];
}

/** The same for a cluster that does not exist and for one that the reader may not see. */
function unknownCluster(cluster: string): Problem {
  return problem(
    "no-such-cluster",
    `Cluster ${JSON.stringify(cluster)} not found. GET /v1/clusters lists the clusters that you have access to.`,
  );
}

const UNKNOWN_CLUSTER = problem("no-such-cluster", "").type;

async function isUnknownCluster(response: Response): Promise<boolean> {
  if (response.headers.get("content-type")?.startsWith(PROBLEM_MEDIA_TYPE) !== true) return false;
  const body = (await response.clone().json()) as Partial<Problem>;
  return body.type === UNKNOWN_CLUSTER;
}

interface Batch {
  readonly items: readonly JobAnswer[];
  readonly missing: readonly string[];
}

/** Some Jobs of one cluster, from all cells that have Jobs of it. */
export async function batchOverCells(reader: CellReader, { cluster, target }: ClusterQuestion): Promise<CellsReply> {
  if (!mayReadCluster(reader.scope, cluster)) return { problem: unknownCluster(cluster) };
  const cells = cellsOf(reader.registry, cluster);
  const found = await fanOut<Batch>(reader, cells, () => target);
  if (found.outcome === "refused") return found;
  const byName = new Map(found.answers.map(({ cell, body }) => [cell.name, body]));
  const batches = cells.flatMap(({ name }) => byName.get(name) ?? []);
  const items = new Map<string, JobAnswer>();
  const names = new Set<string>();
  const uids = new Set(uidsIn(target));
  // The current cell is the first. Of a reused name, it has the newest Job.
  for (const job of batches.flatMap((batch) => batch.items)) {
    const name = `${job.namespace}/${job.name}`;
    if (items.has(job.uid) || (names.has(name) && !uids.has(job.uid))) continue;
    items.set(job.uid, job);
    names.add(name);
  }
  const [first, ...others] = batches;
  const missing = (first?.missing ?? []).filter((one) => others.every((batch) => batch.missing.includes(one)));
  return { body: { items: [...items.values()], missing, ...incomplete(found.unavailable) } };
}

function uidsIn(target: string): readonly string[] {
  const query = new URLSearchParams(target.slice(target.indexOf("?")));
  return query.getAll("uid").flatMap((text) => text.split(",").map((uid) => uid.trim()));
}
