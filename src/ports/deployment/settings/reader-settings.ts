import * as v from "valibot";
import { ConfigurationError, derived, type Settings, variable } from "./descriptor.ts";
import { flag, grantsByGroup, list, url } from "./variables.ts";

/** Who can read. */
export type ReaderSettings =
  /** Everyone who can reach the API. For trials and emulators. */
  | { readonly kind: "open" }
  /** IAM principals with grants, which API Gateway authenticates. */
  | { readonly kind: "iam" }
  | OidcSettings;

/** Callers with a token of this issuer (docs/access.md). */
export interface OidcSettings {
  readonly kind: "oidc";
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly keysUrl?: string;
  readonly rules: Settings<typeof RULES>;
}

/** Where a token has the grants of a reader. */
const RULES = {
  claim: variable("OUTLIVE_OIDC_CLAIM", v.optional(v.string(), "outlive")),
  groupsClaim: variable("OUTLIVE_OIDC_GROUPS_CLAIM", v.optional(v.string(), "groups")),
  groupGrants: variable("OUTLIVE_OIDC_GROUP_GRANTS", v.optional(grantsByGroup, "{}")),
};
const OIDC = {
  issuer: variable("OUTLIVE_OIDC_ISSUER", v.optional(url("the issuer of readers' tokens"))),
  audience: variable("OUTLIVE_OIDC_AUDIENCE", v.optional(list)),
  keysUrl: variable("OUTLIVE_OIDC_KEYS_URL", v.optional(url("the issuer's JSON Web Key Set"))),
  rules: RULES,
};
export const OPEN_MODE = variable(
  "OUTLIVE_OPEN_MODE",
  flag("any sender may send for any cluster, and any caller of the API can read"),
);

/** Exactly one kind of reader, so that the settings show who can read. */
export const READERS = derived(
  {
    isOpen: OPEN_MODE,
    isIam: variable("OUTLIVE_IAM_ACCESS", flag("callers that IAM has authenticated can read what is granted to them")),
    oidc: derived(OIDC, oidcSettings),
  },
  ({ isOpen, isIam, oidc }): ReaderSettings => {
    const configured: readonly ReaderSettings[] = [
      ...(isOpen ? [{ kind: "open" } as const] : []),
      ...(isIam ? [{ kind: "iam" } as const] : []),
      ...(oidc === undefined ? [] : [oidc]),
    ];
    const [readers, another] = configured;
    if (readers !== undefined && another === undefined) return readers;
    const problem = readers === undefined ? "No reader is configured" : "More than one kind of reader is configured";
    throw new ConfigurationError(
      `${problem}. Set exactly one of: OUTLIVE_OIDC_ISSUER with OUTLIVE_OIDC_AUDIENCE, OUTLIVE_IAM_ACCESS=true, or ` +
        "(for a trial) OUTLIVE_OPEN_MODE=true.",
    );
  },
);

/** Without an audience, every token of the issuer would give access, whatever service it is for. */
function oidcSettings({ issuer, audience, keysUrl, rules }: Settings<typeof OIDC>): OidcSettings | undefined {
  if (issuer === undefined && audience === undefined) return undefined;
  if (issuer === undefined || audience === undefined || audience.length === 0) {
    throw new ConfigurationError(
      "OUTLIVE_OIDC_ISSUER and OUTLIVE_OIDC_AUDIENCE belong together. Set both, or neither.",
    );
  }
  return { kind: "oidc", issuer, audience, rules, ...(keysUrl !== undefined && { keysUrl }) };
}
