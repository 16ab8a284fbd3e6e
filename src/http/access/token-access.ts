import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "../../query/access/scope.ts";
import { type Admission, refuse } from "./admission.ts";

/** Readers authenticate with one of these tokens. */
export interface TokenAccess {
  readonly kind: "bearer";
  readonly tokens: readonly TokenGrant[];
}
/** What a token grants. Only the hash of the token is kept. */
export interface TokenGrant {
  readonly tokenSha256: Uint8Array;
  readonly scope: Scope;
}

/** One token that grants access to everything. */
export function bearerAccess(token: string): TokenAccess {
  return { kind: "bearer", tokens: [tokenGrant(token, "everything")] };
}

export function tokenGrant(token: string, scope: Scope): TokenGrant {
  return { tokenSha256: sha256(token), scope };
}

export function admitToken({ tokens }: TokenAccess, authorization: string | undefined): Admission {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  const sent = token === undefined ? undefined : sha256(token);
  // Comparing hashes reveals neither the length of a token nor its first wrong character by the time it takes.
  const index = sent === undefined ? -1 : tokens.findIndex(({ tokenSha256 }) => timingSafeEqual(sent, tokenSha256));
  const grant = tokens[index];
  return grant === undefined
    ? unauthorized(authorization)
    : { outcome: "admitted", scope: grant.scope, reader: `token ${index}` };
}

function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function unauthorized(authorization: string | undefined): Admission {
  const detail =
    authorization === undefined
      ? "This server requires a token. Send it in the header `Authorization: Bearer TOKEN`."
      : "The token in the Authorization header is not valid for this server. Send `Authorization: Bearer TOKEN`.";
  return refuse("unauthorized", detail);
}
