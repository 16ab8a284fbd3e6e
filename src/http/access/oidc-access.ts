import type { VerifyToken } from "../../ports/token-verifier.ts";
import { readGrants } from "../../query/access/grant-text.ts";
import { type Scope, seesNothing } from "../../query/access/scope.ts";
import { type Admission, refuse } from "./admission.ts";

/** Whoever holds a token of the OpenID Connect issuer, with what its claims grant. */
export interface OidcAccess {
  readonly kind: "oidc";
  readonly verify: VerifyToken;
  readonly rules: ClaimRules;
}

/** Which claims of a token grant what (docs/access.md). */
export interface ClaimRules {
  /** The claim that holds grants itself: a list of texts, or one text with spaces or commas. @default "outlive" */
  readonly claim: string;
  /** The claim that lists the groups its bearer is in. @default "groups" */
  readonly groupsClaim: string;
  /** What each group may see. */
  readonly groupGrants: Readonly<Record<string, readonly string[]>>;
}

export const STANDARD_CLAIM = "outlive";
export const STANDARD_GROUPS_CLAIM = "groups";

/** A header of Node's and of API Gateway's is at most 16 and 10 KiB in all: a longer token is none. */
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
      const scope = scopeOf(verified.claims, rules);
      return scope === undefined ? refuse("forbidden", nothingGranted(rules)) : { outcome: "admitted", scope };
    }
    case "refused":
      return refuse("unauthorized", verified.reason);
    case "unverifiable":
      return refuse("issuer-unreachable", verified.reason);
  }
}

function jwtIn(authorization: string): string | undefined {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

const NO_TOKEN = "Send the header `Authorization: Bearer TOKEN` with a token of this server's issuer.";
const NOT_A_TOKEN =
  "The Authorization header holds no JWT: send `Authorization: Bearer TOKEN` with a token of this server's issuer.";

/** What the claims grant, all of it together; `undefined` where they grant nothing. */
export function scopeOf(claims: Readonly<Record<string, unknown>>, rules: ClaimRules): Scope | undefined {
  const groups = textsOf(claims[rules.groupsClaim]);
  // A group may be called `constructor`: only what the mapping itself has counts.
  const ofGroups = groups.flatMap((group) =>
    Object.hasOwn(rules.groupGrants, group) ? (rules.groupGrants[group] ?? []) : [],
  );
  const { scope } = readGrants([...grantsIn(claims[rules.claim]), ...ofGroups]);
  return seesNothing(scope) ? undefined : scope;
}

function grantsIn(claim: unknown): readonly string[] {
  return typeof claim === "string" ? claim.split(/[\s,]+/).filter((text) => text !== "") : textsOf(claim);
}

/** The texts of a list. A group's name may hold spaces: one text is one name. */
function textsOf(claim: unknown): readonly string[] {
  if (typeof claim === "string") return [claim];
  return Array.isArray(claim) ? claim.filter((text) => typeof text === "string") : [];
}

function nothingGranted({ claim, groupsClaim }: ClaimRules): string {
  return `The token is valid and grants nothing here: have its issuer write what you may see into the claim ${JSON.stringify(claim)}, such as ["CLUSTER/NAMESPACE"], or have one of its ${JSON.stringify(groupsClaim)} granted something where this server is configured.`;
}
