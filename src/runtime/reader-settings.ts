import * as v from "valibot";
import { ConfigurationError } from "./read-variables.ts";
import { flag, grantsByGroup, list, url } from "./variables.ts";

/** Read by whoever lets somebody in: those who ask, and those who send. */
export const OPEN = {
  OUTLIVE_OPEN_MODE: flag("anybody who can send may speak for any cluster, and anybody who reaches the API may read"),
};
/** The variables that say who may ask. */
export const READERS = {
  ...OPEN,
  OUTLIVE_OIDC_ISSUER: v.optional(url("the issuer of readers' tokens")),
  OUTLIVE_OIDC_AUDIENCE: v.optional(list),
  OUTLIVE_OIDC_KEYS_URL: v.optional(url("where the issuer keeps its keys")),
  OUTLIVE_OIDC_CLAIM: v.optional(v.string(), "outlive"),
  OUTLIVE_OIDC_GROUPS_CLAIM: v.optional(v.string(), "groups"),
  OUTLIVE_OIDC_GROUP_GRANTS: v.optional(grantsByGroup, "{}"),
  OUTLIVE_IAM_ACCESS: flag("callers that IAM has authenticated may read what is granted to them"),
};

/** Who may ask. */
export type ReaderSettings =
  /** Everybody who reaches the API: for trials and emulators. */
  | { readonly kind: "open" }
  /** Whoever signs as an IAM principal to which something is granted. */
  | { readonly kind: "iam" }
  | OidcSettings;

/** Whoever brings a token of this issuer (docs/access.md). */
export interface OidcSettings {
  readonly kind: "oidc";
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly keysUrl?: string;
  readonly rules: {
    readonly claim: string;
    readonly groupsClaim: string;
    readonly groupGrants: Readonly<Record<string, readonly string[]>>;
  };
}

/** Throws {@link ConfigurationError} but for one way in, and only one: who reads the settings must be able to tell who may read the answers. */
export function readerSettings(read: ReadReaders): ReaderSettings {
  const oidc = oidcSettings(read);
  const ways: readonly ReaderSettings[] = [
    ...(read.OUTLIVE_OPEN_MODE ? [{ kind: "open" } as const] : []),
    ...(read.OUTLIVE_IAM_ACCESS ? [{ kind: "iam" } as const] : []),
    ...(oidc === undefined ? [] : [oidc]),
  ];
  const [way, another] = ways;
  if (way !== undefined && another === undefined) return way;
  throw new ConfigurationError(
    `${way === undefined ? "Nobody may ask" : "Readers may come by more than one way"}: set OUTLIVE_OIDC_ISSUER and OUTLIVE_OIDC_AUDIENCE, or OUTLIVE_IAM_ACCESS=true, or for a trial OUTLIVE_OPEN_MODE=true, and one of them only.`,
  );
}

type ReadReaders = v.InferOutput<v.ObjectSchema<typeof READERS, undefined>>;

/** An issuer without an audience would let in every token that it signs, for whatever service. */
function oidcSettings(read: ReadReaders): OidcSettings | undefined {
  const { OUTLIVE_OIDC_ISSUER: issuer, OUTLIVE_OIDC_AUDIENCE: audience, OUTLIVE_OIDC_KEYS_URL: keysUrl } = read;
  if (issuer === undefined && audience === undefined) return undefined;
  if (issuer === undefined || audience === undefined || audience.length === 0) {
    throw new ConfigurationError("OUTLIVE_OIDC_ISSUER and OUTLIVE_OIDC_AUDIENCE go together: set both, or neither.");
  }
  const rules = {
    claim: read.OUTLIVE_OIDC_CLAIM,
    groupsClaim: read.OUTLIVE_OIDC_GROUPS_CLAIM,
    groupGrants: read.OUTLIVE_OIDC_GROUP_GRANTS,
  };
  return { kind: "oidc", issuer, audience, rules, ...(keysUrl !== undefined && { keysUrl }) };
}
