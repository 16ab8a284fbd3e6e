import type { ClusterName } from "../../job/model/ids.ts";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { namespacesOf } from "../clusters/clusters.ts";
import type { QueryPorts } from "../ports.ts";

/** What an unknown name may have meant. */
export interface Suggestions {
  /** Similar names in the same namespace. */
  readonly near: readonly string[];
  /**
   * Other namespaces with a Job of this name. Absent if there was no search, because the store cannot find them in one
   * request.
   */
  readonly elsewhere?: readonly string[];
}

export const NO_SUGGESTIONS: Suggestions = { near: [], elsewhere: [] };

/** How many names of each half of the namespace's list are compared. */
const MAX_NAMES = 500;
/** In how many other namespaces a store looks for the name. */
const MAX_NAMESPACES = 500;

interface UnknownName {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string;
}

/** Similar names that the reader may see. The number of requests does not grow with namespaces or Jobs. */
export async function suggestJobs(ports: QueryPorts, scope: Scope, unknown: UnknownName): Promise<Suggestions> {
  const [near, elsewhere] = await Promise.all([
    namesNear(ports, scope, unknown),
    namespacesWith(ports, scope, unknown),
  ]);
  return { near, ...(elsewhere && { elsewhere }) };
}

async function namesNear({ jobs }: QueryPorts, scope: Scope, { cluster, namespace, name }: UnknownName) {
  if (!mayRead(scope, cluster, namespace)) return [];
  const names = await jobs.sampleNames({ cluster, namespace }, MAX_NAMES);
  return nearestNames(
    name,
    names.filter((known) => known !== name),
  );
}

async function namespacesWith({ jobs, meta }: QueryPorts, scope: Scope, { cluster, namespace, name }: UnknownName) {
  if (jobs.namespacesWithName === undefined) return undefined;
  const others = (await namespacesOf(meta, scope, cluster)).filter((other) => other !== namespace);
  return jobs.namespacesWithName({ cluster, name, namespaces: others.slice(0, MAX_NAMESPACES) });
}
