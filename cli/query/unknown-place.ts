import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { nearestNames } from "../../src/job/text/nearest-names.ts";

/** Where a query looked. */
export interface Place {
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly allNamespaces?: true | undefined;
}

/** Every cluster has this namespace, whether or not a Job ran in it. */
const DEFAULT_NAMESPACE = "default";

/**
 * Throws CommandFailure if an answer is empty because the cluster or the namespace is unknown, with the nearest names
 * that the reader has access to. Outlive knows a namespace since its first Job.
 */
export async function failForUnknownPlace(api: ApiClient, { cluster, ...place }: Place): Promise<void> {
  const isAny = place.allNamespaces === true || place.namespace === DEFAULT_NAMESPACE;
  const namespace = isAny ? undefined : place.namespace;
  if (cluster === undefined && namespace === undefined) return;
  const { items } = await getJson<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
  const searched = cluster === undefined ? items : items.filter(({ name }) => name === cluster);
  if (cluster !== undefined && searched.length === 0) {
    const names = items.map(({ name }) => name);
    throw new CommandFailure(3, `There is no cluster "${cluster}". ${hint(cluster, names, "outlive clusters")}`);
  }
  if (namespace !== undefined) failForUnknownNamespace(searched, namespace, cluster);
}

function failForUnknownNamespace(searched: readonly ClusterAnswer[], namespace: string, cluster?: string): void {
  const known = searched.flatMap(({ namespaces }) => namespaces);
  if (known.includes(namespace)) return;
  const where = cluster === undefined ? "" : ` of cluster "${cluster}"`;
  const near = hint(namespace, known, "outlive clusters -o json");
  throw new CommandFailure(3, `No Job was observed in namespace "${namespace}"${where}. ${near}`);
}

function hint(name: string, known: readonly string[], lister: string): string {
  const [nearest] = nearestNames(name, known);
  return nearest === undefined ? `"${lister}" lists those that are known.` : `Did you mean "${nearest}"?`;
}
