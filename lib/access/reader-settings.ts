import { GRANT_FORMS, readGrants } from "../../src/query/access/grant-text.ts";
import type { OidcReaders, PageClient, Readers } from "../outlive-props.ts";
import { addressOf, type Context, flagOf, InvalidSettingsError, invalidValue, textOf } from "../context-values.ts";

/** Exactly one kind of access, so that the settings show who can read. Throws {@link InvalidSettingsError}. */
export function readersOf(context: Context): Readers {
  const page = pageClientOf(context);
  const oidc = oidcOf(context, page);
  const configured: readonly Readers[] = [
    ...(flagOf(context, "openMode") ? [{ kind: "open" } as const] : []),
    ...(flagOf(context, "iamAccess") ? [{ kind: "iam" } as const] : []),
    ...(oidc === undefined ? [] : [oidc]),
  ];
  const [readers, another] = configured;
  if (page !== undefined && oidc === undefined) {
    throw new InvalidSettingsError(
      "Sign-in on the page needs an OIDC issuer. Add -c oidcIssuer=https://... -c oidcAudience=..., or leave out " +
        "pageClientId, pageAuthorizationUrl and pageTokenUrl.",
    );
  }
  if (readers === undefined) {
    throw new InvalidSettingsError(
      "No reader is configured: no user would have access. Add -c oidcIssuer=https://... -c oidcAudience=..., or -c " +
        "iamAccess=true; for a trial -c disposable=true -c openMode=true.",
    );
  }
  if (another === undefined) return readers;
  throw new InvalidSettingsError(
    "More than one kind of reader is configured. Keep one of oidcIssuer with oidcAudience, iamAccess, and " +
      "openMode; deploy another stage for another kind.",
  );
}

function oidcOf(context: Context, page: PageClient | undefined): OidcReaders | undefined {
  const issuer = addressOf(context, "oidcIssuer", { pattern: /^https:\/\/[^\s?#]+$/, form: HTTPS_ADDRESS });
  const audience = textOf(context, "oidcAudience", { pattern: /^\S+$/, form: "the audience of the tokens" });
  const rules = oidcRulesOf(context);
  if (issuer !== undefined && audience !== undefined) {
    return { kind: "oidc", issuer, audience, ...rules, ...(page !== undefined && { page }) };
  }
  if (issuer === undefined && audience === undefined && Object.keys(rules).length === 0) return undefined;
  throw new InvalidSettingsError(
    "Access by JWT needs both: -c oidcIssuer=https://... (the tokens' iss) and -c oidcAudience=... (their aud).",
  );
}

const HTTPS_ADDRESS = "an address that begins with https://";
const CLAIM = { pattern: /^\S+$/, form: "the name of a claim" };

function oidcRulesOf(context: Context): Pick<OidcReaders, "keysUrl" | "claim" | "groupsClaim" | "groupGrants"> {
  const keysUrl = addressOf(context, "oidcKeysUrl", { pattern: /^https:\/\/\S+$/, form: HTTPS_ADDRESS });
  const claim = textOf(context, "oidcClaim", CLAIM);
  const groupsClaim = textOf(context, "oidcGroupsClaim", CLAIM);
  const groupGrants = groupGrantsOf(context, "oidcGroupGrants");
  return {
    ...(keysUrl !== undefined && { keysUrl }),
    ...(claim !== undefined && { claim }),
    ...(groupsClaim !== undefined && { groupsClaim }),
    ...(groupGrants !== undefined && { groupGrants }),
  };
}

function groupGrantsOf(context: Context, name: string): string | undefined {
  const form = `JSON such as {"sre":["*"],"data":["prod-eu/data"]}, each grant ${GRANT_FORMS}`;
  const text = textOf(context, name, { pattern: /^\{.*\}$/, form });
  if (text === undefined || Object.values(objectIn(text) ?? { text }).every(isGrants)) return text;
  throw invalidValue(name, form, text);
}

function isGrants(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((grant) => typeof grant === "string") && readGrants(value).refused.length === 0
  );
}

function objectIn(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

const CLIENT_ID = { pattern: /^[!-~]+$/, form: "the issuer's id of the client, without spaces" };
/** https (RFC 6749, 3.1.2.1) and no fragment (RFC 6749, 3.1), which a browser would not send. */
const ENDPOINT = {
  pattern: /^https:\/\/[^\s/?#:@]+(:\d{1,5})?([/?][^\s#]*)?$/,
  form: `${HTTPS_ADDRESS} and has no fragment`,
};
/** RFC 6749, 3.3. */
const SCOPE = {
  pattern: /^[!#-[\]-~]+( [!#-[\]-~]+)*$/,
  form: 'scopes separated by a space, such as "openid groups"',
};

function pageClientOf(context: Context): PageClient | undefined {
  const clientId = textOf(context, "pageClientId", CLIENT_ID);
  const authorizationUrl = addressOf(context, "pageAuthorizationUrl", ENDPOINT);
  const tokenUrl = addressOf(context, "pageTokenUrl", ENDPOINT);
  const tokens = pageTokensOf(context);
  if (clientId !== undefined && authorizationUrl !== undefined && tokenUrl !== undefined) {
    return { clientId, authorizationUrl, tokenUrl, ...tokens };
  }
  const given = [clientId, authorizationUrl, tokenUrl, ...Object.values(tokens)];
  if (given.every((value) => value === undefined)) return undefined;
  throw new InvalidSettingsError(
    "Sign-in on the page needs all three: -c pageClientId=..., and from the issuer's discovery document -c " +
      "pageAuthorizationUrl=https://... (authorization_endpoint) and -c pageTokenUrl=https://... (token_endpoint). " +
      "Without them, readers paste a token.",
  );
}

/** An issuer returns an id token only for the scope `openid` (OpenID Connect Core, 3.1.2.1). */
function pageTokensOf(context: Context): Pick<PageClient, "scope" | "token"> {
  const scope = textOf(context, "pageScope", SCOPE);
  const text = textOf(context, "pageToken", { pattern: /^(access|id)_token$/, form: "access_token or id_token" });
  const token = text === "id_token" || text === "access_token" ? text : undefined;
  if (token === "id_token" && scope?.split(" ").includes("openid") === false) {
    throw new InvalidSettingsError(
      `An issuer returns an id token only for the scope openid, and pageScope is ${JSON.stringify(scope)}. Add ` +
        "openid to it, or leave out -c pageToken=id_token.",
    );
  }
  return { ...(scope !== undefined && { scope }), ...(token !== undefined && { token }) };
}
