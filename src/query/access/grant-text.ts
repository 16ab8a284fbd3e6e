import { decodeClusterName } from "../../job/model/ids.ts";
import type { Grant, Scope } from "./scope.ts";

/** What some texts grant, and those of them that grant nothing because they are no grants. */
export interface ReadGrants {
  readonly scope: Scope;
  readonly refused: readonly string[];
}

/**
 * Reads grants as people, tokens and records write them: `cluster/namespace`, `cluster/*` for all of a cluster, `*` for everything. What is none of these grants
 * nothing: neither is a name shortened by it, nor made longer.
 */
export function readGrants(texts: readonly string[]): ReadGrants {
  const read = texts.map((text) => ({ text, grant: text === "*" ? ("everything" as const) : readGrant(text) }));
  const refused = read.flatMap(({ text, grant }) => (grant === undefined ? [text] : []));
  if (read.some(({ grant }) => grant === "everything")) return { scope: "everything", refused };
  return { scope: { grants: read.flatMap(({ grant }) => (typeof grant === "object" ? [grant] : [])) }, refused };
}

function readGrant(text: string): Grant | undefined {
  const [clusterText, namespace, ...more] = text.split("/");
  const cluster = decodeClusterName(clusterText);
  if (cluster === undefined || namespace === undefined || more.length > 0) return undefined;
  if (namespace === "*") return { cluster, namespaces: "all" };
  return isNamespace(namespace) ? { cluster, namespaces: [namespace] } : undefined;
}

/** A DNS label (RFC 1123), as the API server asks of a namespace's name. */
function isNamespace(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
}
