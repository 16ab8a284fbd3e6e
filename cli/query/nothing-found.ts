import { type ApiClient, getItems } from "../../src/host/client/api-client.ts";
import type { Query } from "../../src/http/contract/api-paths.ts";

export interface EmptyList {
  readonly api: ApiClient;
  /** The list that is empty, with the query that it answered. */
  readonly path: string;
  readonly query: Query;
  /** What the list has, such as Jobs. */
  readonly items: string;
}

/**
 * The text to print instead of an empty table. If only one namespace was read, it says whether other namespaces have
 * any.
 */
export async function nothingFoundText({ api, path, query, items }: EmptyList): Promise<string> {
  const { namespace, ...everywhere } = query;
  if (namespace === undefined) return `No ${items} found.`;
  const none = `No ${items} found in namespace ${namespace}.`;
  const others = await getItems(api, path, { ...everywhere, limit: 1 });
  return others.items.length === 0 ? none : `${none} Other namespaces have some: list them with -A.`;
}
