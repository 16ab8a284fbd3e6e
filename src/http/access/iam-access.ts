import type { MetaStore } from "../../ports/meta.ts";
import { principalIdOf } from "../../ports/principal-id.ts";
import { readerScope } from "../../query/access/readers.ts";
import { type Admission, refuse } from "./admission.ts";

/**
 * Admits the IAM principal that signed the request, with its grants. The grants are read for every request, so that a
 * revocation takes effect immediately.
 */
export async function admitCaller(meta: MetaStore, caller: string | undefined): Promise<Admission> {
  if (caller === undefined || caller === "") return refuse("unauthorized", UNSIGNED);
  const scope = await readerScope(meta, caller);
  const id = principalIdOf(caller);
  if (scope !== undefined) return { outcome: "admitted", scope, reader: `principal ${id}` };
  return refuse(
    "forbidden",
    `Principal ${id} has no grants. An operator can add one: ` +
      `\`outlive readers grant CLUSTER/NAMESPACE --principal-id ${id}\`.`,
  );
}

const UNSIGNED = "The request has no AWS signature. Sign it with SigV4 for the service execute-api.";
