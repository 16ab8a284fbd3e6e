import { formatInstant, parseInstant } from "../job/model/instant.ts";
import { mergeSummaries } from "../query/summary/merge-summaries.ts";
import type { SummaryAnswer } from "../query/summary/summary.ts";
import type { CellRegistry } from "./cell-registry.ts";
import { type CellAnswer, type CellReader, fanOut } from "./fan-out.ts";
import { type CellsReply, incomplete } from "./list-over-cells.ts";
import { mayReadCluster, type Scope } from "../query/access/scope.ts";

export interface CellsSummaryQuery {
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** The cluster of the filter. */
  readonly cluster: string | undefined;
}

/**
 * The sum of the summaries of all cells. Where one is exact only from an instant on, all are counted from that instant
 * on.
 */
export async function summaryOverCells(reader: CellReader, query: CellsSummaryQuery): Promise<CellsReply> {
  const found = await countedSince(reader, query);
  if (found.outcome === "refused") return found;
  const { since, answers, unavailable } = found;
  const countedTwice = clustersInSeveral(reader.registry, reader.scope, query.cluster);
  return {
    body: {
      ...mergeSummaries(answers.map(({ body }) => body)),
      ...(since !== undefined && { complete: false, partial: { since } }),
      ...(unavailable.length > 0 && { complete: false }),
      ...(countedTwice.length > 0 && { countedTwice }),
      ...incomplete(unavailable),
    },
  };
}

/** The summaries of all cells from one instant on. Those that have counted more are asked again. */
async function countedSince(reader: CellReader, query: CellsSummaryQuery) {
  const first = await fanOut<SummaryAnswer>(reader, reader.registry.cells, () => target(query));
  if (first.outcome === "refused") return first;
  const since = sinceOf(first.answers);
  const again = first.answers.filter(({ body }) => since !== undefined && body.partial?.since !== since);
  if (again.length === 0) return { ...first, since };
  const cells = again.map(({ cell }) => cell);
  const second = await fanOut<SummaryAnswer>(reader, cells, () => target(query, since));
  if (second.outcome === "refused") return second;
  const answers = [...first.answers.filter((one) => !again.includes(one)), ...second.answers];
  return { ...first, since, answers, unavailable: [...first.unavailable, ...second.unavailable] };
}

/** The instant from which every cell has counted all Jobs; `undefined` if all have counted all. */
function sinceOf(answers: readonly CellAnswer<SummaryAnswer>[]): string | undefined {
  return answers
    .flatMap(({ body }) => body.partial?.since ?? [])
    .sort()
    .at(-1);
}

/** `createdAfter` is exclusive, and creation times have milliseconds at most. */
function target({ path, parameters }: CellsSummaryQuery, since?: string): string {
  const query = new URLSearchParams(parameters);
  query.set("durationBuckets", "true");
  const from = parseInstant(since);
  if (from !== undefined) query.set("createdAfter", formatInstant(from - 1));
  return `${path}?${query.toString()}`;
}

/** The clusters with Jobs in several cells: a Job that was alive when its cluster moved is counted in each. */
function clustersInSeveral({ clusters }: CellRegistry, scope: Scope, wanted: string | undefined): readonly string[] {
  return Object.entries(clusters)
    .filter(([, { previous = [] }]) => previous.length > 0)
    .map(([cluster]) => cluster)
    .filter((cluster) => (wanted ?? cluster) === cluster && mayReadCluster(scope, cluster))
    .sort();
}
