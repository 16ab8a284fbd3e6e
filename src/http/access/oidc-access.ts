import { createHash } from "node:crypto";
import type { VerifyToken } from "../../ports/token-verifier.ts";
import { readGrants } from "../../query/access/grant-text.ts";
import { type Rights, seesNothing } from "../../query/access/scope.ts";
import { type Admission, refuse } from "./admission.ts";
import type { TokenGrant } from "./token-access.ts";

/** Readers authenticate with a token of an OpenID Connect issuer; its claims say what they may read. */
export interface OidcAccess {
  readonly kind: "oidc";
  readonly verify: VerifyToken;
  readonly rules: ClaimRules;
  /** Tokens that are accepted too, for programs that the issuer does not know. @default none */
  readonly tokens?: readonly TokenGrant[];
}

/** Which claims of a token hold grants (docs/access.md). */
export interface ClaimRules {
  /** The claim with grants: a list of strings, or one string separated by spaces or commas. @default "outlive" */
  readonly claim: string;
  /** The claim with the reader's groups. @default "groups" */
  readonly groupsClaim: string;
  /** The grants of each group. */
  readonly groupGrants: Readonly<Record<string, readonly string[]>>;
}

export const STANDARD_CLAIM = "outlive";
export const STANDARD_GROUPS_CLAIM = "groups";

/** Node accepts at most 16 KiB of headers, API Gateway 10 KiB. */
const MAX_TOKEN_LENGTH = 16_384;

export async function admitClaims(
  { verify, rules }: OidcAccess,
  authorization: string | undefined,
): Promise<Admission> {
  if (authorization === undefined) return refuse("unauthorized", NO_TOKEN);
  const token = jwtIn(authorization);
  if (token === undefined) return refuse("unauthorized", NOT_A_TOKEN);
  const verified = await verify(token);
  switch (verified.outcome) {
    case "verified": {
      const rights = rightsOf(verified.claims, rules);
      if (rights === undefined) return refuse("forbidden", noGrants(rules));
      const { sub } = verified.claims;
      const name = typeof sub === "string" ? `subject ${sub}` : "a token without a subject";
      return { outcome: "admitted", ...rights, reader: readerOf(verified.claims, token), name };
    }
    case "refused":
      return refuse("unauthorized", verified.reason);
    case "unverifiable":
      return refuse("issuer-unreachable", verified.reason);
  }
}

/** The subject of the token; the token itself if it names none. */
function readerOf({ sub }: Readonly<Record<string, unknown>>, token: string): string {
  return typeof sub === "string" ? `subject ${sub}` : `token ${createHash("sha256").update(token).digest("base64url")}`;
}

function jwtIn(authorization: string): string | undefined {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

const NO_TOKEN = "Send the header `Authorization: Bearer TOKEN` with a token of this server's issuer.";
const NOT_A_TOKEN =
  "The Authorization header has no JWT. Send `Authorization: Bearer TOKEN` with a token of this server's issuer.";

/** The union of all grants in the claims; `undefined` if they show nothing. */
export function rightsOf(claims: Readonly<Record<string, unknown>>, rules: ClaimRules): Rights | undefined {
  const groups = textsOf(claims[rules.groupsClaim]);
  // A group may be named `constructor`, so inherited properties must not count.
  const ofGroups = groups.flatMap((group) =>
    Object.hasOwn(rules.groupGrants, group) ? (rules.groupGrants[group] ?? []) : [],
  );
  const { scope, acknowledges } = readGrants([...grantsIn(claims[rules.claim]), ...ofGroups]);
  return seesNothing(scope) ? undefined : { scope, acknowledges };
}

function grantsIn(claim: unknown): readonly string[] {
  return typeof claim === "string" ? claim.split(/[\s,]+/).filter((text) => text !== "") : textsOf(claim);
}

/** The strings of a claim. A group name may contain spaces, so one string is one name. */
function textsOf(claim: unknown): readonly string[] {
  if (typeof claim === "string") return [claim];
  return Array.isArray(claim) ? claim.filter((text) => typeof text === "string") : [];
}

function noGrants({ claim, groupsClaim }: ClaimRules): string {
  return (
    `The token is valid but has no grants. Either its claim ${JSON.stringify(claim)} must list what you ` +
    'may read, such as ["CLUSTER/NAMESPACE"], or an operator must ' +
    `grant access to one of its ${JSON.stringify(groupsClaim)}.`
  );
}
