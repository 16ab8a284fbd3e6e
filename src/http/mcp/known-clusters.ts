import { parseInstant } from "../../job/model/instant.ts";
import type { ClusterAnswer } from "../../query/clusters/clusters.ts";
import { type Ask, type Page, read } from "./ask.ts";
import { marked } from "./marked.ts";
import { ToolError } from "./tool-error.ts";

/** The cluster of this name, or all. Throws ToolError with those that are known if there is none of the name. */
export async function clustersNamed(ask: Ask, name: string | undefined): Promise<readonly ClusterAnswer[]> {
  const { items } = await read<Page<ClusterAnswer>>(ask, "/v1/clusters");
  const named = name === undefined ? items : items.filter((one) => one.name === name);
  if (named.length > 0 || name === undefined) return named;
  throw new ToolError(
    "No cluster has this name, or these credentials have no access to it. The candidates are known.",
    items.slice(0, MOST_CANDIDATES).map((one) => marked({ cluster: one.name })),
  );
}

const MOST_CANDIDATES = 20;

/** The time up to which all of the clusters have sent data. */
export function oldestData(clusters: readonly ClusterAnswer[]): { readonly asOf?: string } {
  const times = clusters.flatMap(({ observedAt }) => (observedAt === undefined ? [] : [observedAt]));
  const [oldest] = times.sort((a, b) => (parseInstant(a) ?? 0) - (parseInstant(b) ?? 0));
  return oldest === undefined ? {} : { asOf: oldest };
}
