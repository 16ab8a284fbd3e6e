import type { MetaStore } from "../../ports/meta.ts";
import { principalIdOf } from "../../ports/principal-id.ts";
import { readerScope } from "../../query/access/reader.ts";
import { type Admission, refuse } from "./admission.ts";

/** Whoever signed the request, with what was granted to that principal. Read anew for every request: who was struck off is refused at once. */
export async function admitCaller(meta: MetaStore, caller: string | undefined): Promise<Admission> {
  if (caller === undefined || caller === "") return refuse("unauthorized", UNSIGNED);
  const scope = await readerScope(meta, caller);
  if (scope !== undefined) return { outcome: "admitted", scope };
  const id = principalIdOf(caller);
  return refuse(
    "forbidden",
    `Principal ${id} is granted nothing here. Who runs this deployment can: \`outlive readers grant CLUSTER/NAMESPACE --principal-id ${id}\`.`,
  );
}

const UNSIGNED = "Nobody signed this request: send it with an AWS signature (SigV4, service execute-api).";
