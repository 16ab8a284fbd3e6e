import { decodeClusterName } from "../../job/model/ids.ts";
import type { Grant, Scope } from "./scope.ts";

/** The scope of a list of grants, and the texts that are not valid grants. */
export interface ReadGrants {
  readonly scope: Scope;
  readonly refused: readonly string[];
}

/**
 * Reads grants: `cluster/namespace`, `cluster/*` for a whole cluster, or `*` for everything.
 * Any other text grants nothing. There are no other wildcards.
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

/** A DNS label (RFC 1123), which the name of a namespace must be. */
function isNamespace(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
}
