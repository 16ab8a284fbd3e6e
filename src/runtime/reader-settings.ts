import type * as v from "valibot";
import type { variablesOf } from "./function-variables.ts";
import { ConfigurationError } from "./read-variables.ts";

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
  readonly rules: {
    readonly claim: string;
    readonly groupsClaim: string;
    readonly groupGrants: Readonly<Record<string, readonly string[]>>;
  };
}

type PageVariables = v.InferOutput<ReturnType<typeof variablesOf<"page">>>;
type ReaderVariables = Pick<
  PageVariables,
  Extract<keyof PageVariables, `OUTLIVE_OIDC_${string}` | "OUTLIVE_OPEN_MODE" | "OUTLIVE_IAM_ACCESS">
>;

/** Exactly one kind of reader, so that the settings show who can read. Throws {@link ConfigurationError} otherwise. */
export function readerSettings(read: ReaderVariables): ReaderSettings {
  const oidc = oidcSettings(read);
  const configured: readonly ReaderSettings[] = [
    ...(read.OUTLIVE_OPEN_MODE ? [{ kind: "open" } as const] : []),
    ...(read.OUTLIVE_IAM_ACCESS ? [{ kind: "iam" } as const] : []),
    ...(oidc === undefined ? [] : [oidc]),
  ];
  const [readers, another] = configured;
  if (readers !== undefined && another === undefined) return readers;
  const problem = readers === undefined ? "No reader is configured" : "More than one kind of reader is configured";
  throw new ConfigurationError(
    `${problem}. Set exactly one of: OUTLIVE_OIDC_ISSUER with OUTLIVE_OIDC_AUDIENCE, OUTLIVE_IAM_ACCESS=true, or ` +
      "(for a trial) OUTLIVE_OPEN_MODE=true.",
  );
}

/** Without an audience, every token of the issuer would give access, whatever service it is for. */
function oidcSettings(read: ReaderVariables): OidcSettings | undefined {
  const { OUTLIVE_OIDC_ISSUER: issuer, OUTLIVE_OIDC_AUDIENCE: audience, OUTLIVE_OIDC_KEYS_URL: keysUrl } = read;
  if (issuer === undefined && audience === undefined) return undefined;
  if (issuer === undefined || audience === undefined || audience.length === 0) {
    throw new ConfigurationError(
      "OUTLIVE_OIDC_ISSUER and OUTLIVE_OIDC_AUDIENCE belong together. Set both, or neither.",
    );
  }
  const rules = {
    claim: read.OUTLIVE_OIDC_CLAIM,
    groupsClaim: read.OUTLIVE_OIDC_GROUPS_CLAIM,
    groupGrants: read.OUTLIVE_OIDC_GROUP_GRANTS,
  };
  return { kind: "oidc", issuer, audience, rules, ...(keysUrl !== undefined && { keysUrl }) };
}
