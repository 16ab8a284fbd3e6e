import { isIPv4 } from "node:net";
import { type Admission, type Credentials, refuse } from "./admission.ts";
import { admitCaller, type IamAccess } from "./iam-access.ts";
import { type OidcAccess, admitClaims } from "./oidc-access.ts";
import { admitToken, type TokenAccess } from "./token-access.ts";

/** Who has read access. */
export type Access =
  /** The caller is this process. */
  | { readonly kind: "inProcess" }
  /**
   * Everyone on this machine. The Host header must be a loopback name, because a web page can make its own name
   * resolve to this machine (DNS rebinding).
   */
  | { readonly kind: "loopback" }
  | TokenAccess
  | OidcAccess
  | IamAccess;

const ALL = { scope: "everything", acknowledges: "everything" } as const;

/** Authenticates a caller. */
export async function admit(access: Access, credentials: Credentials): Promise<Admission> {
  switch (access.kind) {
    case "inProcess":
      return { outcome: "admitted", ...ALL, reader: "this process", name: "anonymous" };
    case "loopback":
      return isLoopbackHost(credentials.host)
        ? { outcome: "admitted", ...ALL, reader: credentials.remoteAddress ?? "this machine", name: "this machine" }
        : notLocal(credentials.host);
    case "bearer":
      return admitToken(access, credentials.authorization);
    case "oidc":
      return admitWithIssuer(access, credentials.authorization);
    case "iam":
      return admitCaller(access, credentials.iamCaller);
  }
}

/** A static token of a machine needs no issuer. Every other token is checked with the issuer. */
async function admitWithIssuer(access: OidcAccess, authorization: string | undefined): Promise<Admission> {
  const { tokens = [] } = access;
  const admitted = admitToken({ kind: "bearer", tokens }, authorization);
  return admitted.outcome === "admitted" ? admitted : admitClaims(access, authorization);
}

/** Whether a Host header, or a name to listen on, can only mean this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host?.replace(/:\d*$/, "").toLowerCase();
  if (name === undefined) return false;
  return name === "localhost" || name === "[::1]" || (name.startsWith("127.") && isIPv4(name));
}

/** How much of a refused Host header the answer repeats. */
const MAX_SHOWN_HOST = 100;

function notLocal(host: string | undefined): Admission {
  return refuse(
    "host-not-local",
    `Host ${JSON.stringify((host ?? "").slice(0, MAX_SHOWN_HOST))} is not allowed: without a token, this ` +
      "server only answers to localhost, 127.0.0.1 and [::1]. " +
      "Use one of these names, or start the server with a token.",
  );
}
