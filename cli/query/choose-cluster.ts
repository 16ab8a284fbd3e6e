import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

/** The cluster that the options name, or the only one that is known. */
export async function chooseCluster(api: ApiClient, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { items } = await getJson<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
  const [only, ...others] = items;
  if (only === undefined) throw new CommandFailure(2, NO_CLUSTER);
  if (others.length > 0) {
    throw new CommandFailure(
      2,
      `Several clusters are known (${items.map(({ name }) => name).join(", ")}). Choose one with --cluster.`,
    );
  }
  return only.name;
}

const NO_CLUSTER = `No cluster is known yet. Import a recording first: outlive import RECORDING`;
