import { decodeClusterName } from "../../job/model/ids.ts";
import type { Grant, Rights, Scope } from "./scope.ts";

/** The rights of a list of grants, and the texts that are not valid grants. */
export interface ReadGrants extends Rights {
  readonly refused: readonly string[];
}

/** Before a grant to acknowledge. Such a grant does not include reading. */
const ACKNOWLEDGE = "acknowledge:";

/** The forms of grants, for error messages. */
export const GRANT_FORMS = `CLUSTER/NAMESPACE, CLUSTER/* or *, or one of them after ${ACKNOWLEDGE}`;

/**
 * Reads grants: `cluster/namespace`, `cluster/*` for a whole cluster, or `*` for everything; and the same after
 * `acknowledge:`. Any other text grants nothing. There are no other wildcards.
 */
export function readGrants(texts: readonly string[]): ReadGrants {
  const read = texts.map((text) => {
    const isToAcknowledge = text.startsWith(ACKNOWLEDGE);
    const place = isToAcknowledge ? text.slice(ACKNOWLEDGE.length) : text;
    return { text, isToAcknowledge, grant: place === "*" ? ("everything" as const) : readGrant(place) };
  });
  const scopeOf = (of: boolean) =>
    scopeOfGrants(read.flatMap(({ isToAcknowledge, grant }) => (isToAcknowledge === of && grant ? [grant] : [])));
  return {
    scope: scopeOf(false),
    acknowledges: scopeOf(true),
    refused: read.flatMap(({ text, grant }) => (grant === undefined ? [text] : [])),
  };
}

function scopeOfGrants(grants: readonly (Grant | "everything")[]): Scope {
  if (grants.includes("everything")) return "everything";
  return { grants: grants.filter((grant) => grant !== "everything") };
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
