import { createHash, timingSafeEqual } from "node:crypto";
import { NO_SCOPE, type Rights, type Scope } from "../../query/access/scope.ts";
import { type Admission, refuse } from "./admission.ts";

/** Readers authenticate with one of these tokens. */
export interface TokenAccess {
  readonly kind: "bearer";
  readonly tokens: readonly TokenGrant[];
}
/** What a token grants. Only the hash of the token is kept. */
export interface TokenGrant extends Rights {
  readonly tokenSha256: Uint8Array;
  /** For what its reader writes. @default its place in the list */
  readonly name?: string | undefined;
}

/** One token that grants everything. */
export function bearerAccess(token: string): TokenAccess {
  return { kind: "bearer", tokens: [tokenGrant(token, "everything", { acknowledges: "everything" })] };
}

/** A token that grants reading, and more if `more` says so. */
export function tokenGrant(
  token: string,
  scope: Scope,
  { acknowledges = NO_SCOPE, name }: Partial<Pick<TokenGrant, "acknowledges" | "name">> = {},
): TokenGrant {
  return { tokenSha256: sha256(token), scope, acknowledges, name };
}

export function admitToken({ tokens }: TokenAccess, authorization: string | undefined): Admission {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  const sent = token === undefined ? undefined : sha256(token);
  // Comparing hashes reveals neither the length of a token nor its first wrong character by the time it takes.
  const index = sent === undefined ? -1 : tokens.findIndex(({ tokenSha256 }) => timingSafeEqual(sent, tokenSha256));
  const grant = tokens[index];
  if (grant === undefined) return unauthorized(authorization);
  const { scope, acknowledges, name = String(index + 1) } = grant;
  return { outcome: "admitted", scope, acknowledges, reader: `token ${index}`, name: `token ${name}` };
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
