import { variablesOf } from "./function-variables.ts";
import { ConfigurationError, type Environment, readVariables } from "./read-variables.ts";
import { type ReaderSettings, readerSettings } from "./reader-settings.ts";

export interface PageSettings extends PageReaders {
  readonly stage: string;
}

/** Who reads the page, and how they sign in. */
export interface PageReaders {
  readonly readers: ReaderSettings;
  /** The page as a public client of the issuer (authorization code with PKCE). @default readers paste a token */
  readonly client?: {
    readonly clientId: string;
    readonly authorizationEndpoint: string;
    readonly tokenEndpoint: string;
    readonly scope: string;
    readonly tokenToSend: "access_token" | "id_token";
  };
}

/** Throws {@link ConfigurationError}. */
export function readPageSettings(environment: Environment): PageSettings {
  const read = readVariables(environment, variablesOf("page"));
  const { OUTLIVE_PAGE_CLIENT_ID: clientId, OUTLIVE_PAGE_AUTHORIZATION_URL: authorizationEndpoint } = read;
  const { OUTLIVE_PAGE_TOKEN_URL: tokenEndpoint } = read;
  const settings = { stage: read.OUTLIVE_STAGE, readers: readerSettings(read) };
  const given = [clientId, authorizationEndpoint, tokenEndpoint].filter((value) => value !== undefined);
  if (given.length === 0) return settings;
  if (clientId === undefined || authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    throw new ConfigurationError(
      "OUTLIVE_PAGE_CLIENT_ID, OUTLIVE_PAGE_AUTHORIZATION_URL and OUTLIVE_PAGE_TOKEN_URL are incomplete. Set all " +
        "three, or none: then readers paste a token.",
    );
  }
  const { OUTLIVE_PAGE_SCOPE: scope, OUTLIVE_PAGE_TOKEN: tokenToSend } = read;
  return { ...settings, client: { clientId, authorizationEndpoint, tokenEndpoint, scope, tokenToSend } };
}
