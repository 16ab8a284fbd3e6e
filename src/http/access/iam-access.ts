import { principalIdOf } from "../../ports/principal-id.ts";
import type { RegistrationCache } from "../../ports/registrations/registration-cache.ts";
import { readerRights } from "../../query/access/readers.ts";
import { type Admission, refuse } from "./admission.ts";

/** Principals that API Gateway has authenticated by an AWS signature (SigV4), with the grants that are registered. */
export interface IamAccess {
  readonly kind: "iam";
  /** A revocation takes effect within a minute. */
  readonly readers: Pick<RegistrationCache, "find">;
}

/** Admits the IAM principal that signed the request, with its grants. */
export async function admitCaller({ readers }: IamAccess, caller: string | undefined): Promise<Admission> {
  if (caller === undefined || caller === "") return refuse("unauthorized", UNSIGNED);
  const id = principalIdOf(caller);
  const found = readerRights(await readers.find(id));
  if (found !== undefined) {
    const { arn = `principal ${id}`, ...rights } = found;
    // The name of a role's session, such as that of a person who signed in.
    const session = caller.slice(id.length + 1);
    const name = session === "" ? arn : `${arn} (${session})`;
    return { outcome: "admitted", ...rights, reader: `principal ${id}`, name };
  }
  return refuse(
    "forbidden",
    `Principal ${id} has no grants. An operator can add one: ` +
      `\`outlive readers grant CLUSTER/NAMESPACE --principal-id ${id}\`. It takes effect within a minute.`,
  );
}

const UNSIGNED = "The request has no AWS signature. Sign it with SigV4 for the service execute-api.";
