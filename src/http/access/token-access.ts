import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "../../query/access/scope.ts";
import { type Admission, refuse } from "./admission.ts";

/** Whoever holds one of some tokens, each with what it lets see. */
export interface TokenAccess {
  readonly kind: "bearer";
  readonly tokens: readonly TokenGrant[];
}
/** A token is kept as its hash. */
export interface TokenGrant {
  readonly tokenSha256: Uint8Array;
  readonly scope: Scope;
}

/** Access for whoever holds `token`: all of it, everything. */
export function bearerAccess(token: string): TokenAccess {
  return { kind: "bearer", tokens: [tokenGrant(token, "everything")] };
}

export function tokenGrant(token: string, scope: Scope): TokenGrant {
  return { tokenSha256: sha256(token), scope };
}

export function admitToken({ tokens }: TokenAccess, authorization: string | undefined): Admission {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  const sent = token === undefined ? undefined : sha256(token);
  // Hashes are compared, so that neither the length nor the first difference shows in the time it takes.
  const held = sent && tokens.find(({ tokenSha256 }) => timingSafeEqual(sent, tokenSha256));
  return held === undefined ? unauthorized(authorization) : { outcome: "admitted", scope: held.scope };
}

function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function unauthorized(authorization: string | undefined): Admission {
  const detail =
    authorization === undefined
      ? "Send the header `Authorization: Bearer TOKEN` with the token this server was started with."
      : "The Authorization header does not hold this server's token: send `Authorization: Bearer TOKEN`.";
  return refuse("unauthorized", detail);
}
