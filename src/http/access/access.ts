import type { MetaStore } from "../../ports/meta.ts";
import { type Admission, type Credentials, refuse } from "./admission.ts";
import { admitCaller } from "./iam-access.ts";
import { type OidcAccess, admitClaims } from "./oidc-access.ts";
import { admitToken, type TokenAccess } from "./token-access.ts";

/** Who may ask. */
export type Access =
  /** The caller is the process itself. */
  | { readonly kind: "inProcess" }
  /** Whoever is on this machine; then the Host header must be a loopback name, because a web page can make its own name point here (DNS rebinding). */
  | { readonly kind: "loopback" }
  | TokenAccess
  | OidcAccess
  /** Whoever API Gateway has authenticated by an AWS signature (SigV4), with what kind `reader` grants. */
  | { readonly kind: "iam" };

/** Whether who asks may ask, and what they may see. `meta` is read where grants are kept there. */
export async function admit(access: Access, credentials: Credentials, meta: MetaStore): Promise<Admission> {
  switch (access.kind) {
    case "inProcess":
      return { outcome: "admitted", scope: "everything" };
    case "loopback":
      return isLoopbackHost(credentials.host)
        ? { outcome: "admitted", scope: "everything" }
        : notLocal(credentials.host);
    case "bearer":
      return admitToken(access, credentials.authorization);
    case "oidc":
      return admitClaims(access, credentials.authorization);
    case "iam":
      return admitCaller(meta, credentials.iamCaller);
  }
}

/** Whether a Host header, or a name to listen on, can only be this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host?.replace(/:\d*$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || (name !== undefined && /^127(\.\d{1,3}){3}$/.test(name));
}

function notLocal(host: string | undefined): Admission {
  return refuse(
    "host-not-local",
    `Without a token this server answers to localhost, 127.0.0.1 and [::1] only, and the Host header says ${JSON.stringify(host ?? "")}: ask it by one of these names, or start it with a token.`,
  );
}
