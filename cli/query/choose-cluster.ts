import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { type ApiClient, getJson } from "../../src/client/api-client.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";

/** The cluster that was named, or the only one there is. */
export async function chooseCluster(api: ApiClient, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { items } = await getJson<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
  const [only, ...others] = items;
  if (only === undefined) throw new CommandFailure(2, NOTHING_YET);
  if (others.length > 0) {
    throw new CommandFailure(
      2,
      `Several clusters are known: say which one with --cluster (${items.map(({ name }) => name).join(", ")}).`,
    );
  }
  return only.name;
}

const NOTHING_YET = `Nothing is known of any cluster yet: import a recording with "outlive import RECORDING" first.`;
