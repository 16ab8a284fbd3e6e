import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "../query/scope.ts";
import { type Problem, problem } from "./problem.ts";

/**
 * Who may ask. `inProcess`: the caller is the process itself. `loopback`: whoever is on this machine; then the Host header must be a
 * loopback name, because a web page can make its own name point here (DNS rebinding). `bearer`: whoever holds a token, kept as its hash.
 */
export type Access =
  | { readonly kind: "inProcess" }
  | { readonly kind: "loopback" }
  | { readonly kind: "bearer"; readonly tokenSha256: Uint8Array; readonly scope: Scope };

export type Admission =
  | { readonly outcome: "admitted"; readonly scope: Scope }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** Access for whoever holds `token`: all of it, everything. */
export function bearerAccess(token: string): Access {
  return { kind: "bearer", tokenSha256: sha256(token), scope: "everything" };
}

export function admit(
  access: Access,
  headers: { readonly host?: string | undefined; readonly authorization?: string | undefined },
): Admission {
  switch (access.kind) {
    case "inProcess":
      return { outcome: "admitted", scope: "everything" };
    case "loopback":
      return isLoopbackHost(headers.host) ? { outcome: "admitted", scope: "everything" } : notLocal(headers.host);
    case "bearer":
      return holdsToken(access.tokenSha256, headers.authorization)
        ? { outcome: "admitted", scope: access.scope }
        : unauthorized(headers.authorization);
  }
}

/** Whether a Host header, or a name to listen on, can only be this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host?.replace(/:\d*$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || (name !== undefined && /^127(\.\d{1,3}){3}$/.test(name));
}

/** Hashes are compared, so that neither the length nor the first difference shows in the time it takes. */
function holdsToken(tokenSha256: Uint8Array, authorization: string | undefined): boolean {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  return token !== undefined && timingSafeEqual(sha256(token), tokenSha256);
}

function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function unauthorized(authorization: string | undefined): Admission {
  const detail =
    authorization === undefined
      ? "Send the header `Authorization: Bearer TOKEN` with the token this server was started with."
      : "The Authorization header does not hold this server's token: send `Authorization: Bearer TOKEN`.";
  return { outcome: "refused", problem: problem("unauthorized", detail) };
}

function notLocal(host: string | undefined): Admission {
  return {
    outcome: "refused",
    problem: problem(
      "host-not-local",
      `Without a token this server answers to localhost, 127.0.0.1 and [::1] only, and the Host header says ${JSON.stringify(host ?? "")}: ask it by one of these names, or start it with a token.`,
    ),
  };
}
