import * as v from "valibot";
import { ConfigurationError, derived, variable } from "./descriptor.ts";
import { oneOf, url } from "./variables.ts";

/** The page as a public client of the issuer (authorization code with PKCE). */
export interface PageClient {
  readonly clientId: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly scope: string;
  readonly tokenToSend: "access_token" | "id_token";
}

/** How readers sign in on the page. Without it, they paste a token. */
export const PAGE_CLIENT = derived(
  {
    clientId: variable("OUTLIVE_PAGE_CLIENT_ID", v.optional(v.string())),
    authorizationEndpoint: variable(
      "OUTLIVE_PAGE_AUTHORIZATION_URL",
      v.optional(url("the issuer's authorization endpoint")),
    ),
    tokenEndpoint: variable("OUTLIVE_PAGE_TOKEN_URL", v.optional(url("the issuer's token endpoint"))),
    scope: variable("OUTLIVE_PAGE_SCOPE", v.optional(v.string(), "openid")),
    tokenToSend: variable("OUTLIVE_PAGE_TOKEN", v.optional(oneOf("access_token", "id_token"), "access_token")),
  },
  ({ clientId, authorizationEndpoint, tokenEndpoint, ...client }): PageClient | undefined => {
    if (clientId !== undefined && authorizationEndpoint !== undefined && tokenEndpoint !== undefined) {
      return { clientId, authorizationEndpoint, tokenEndpoint, ...client };
    }
    if ([clientId, authorizationEndpoint, tokenEndpoint].every((value) => value === undefined)) return undefined;
    throw new ConfigurationError(
      "OUTLIVE_PAGE_CLIENT_ID, OUTLIVE_PAGE_AUTHORIZATION_URL and OUTLIVE_PAGE_TOKEN_URL are incomplete. Set all " +
        "three, or none: then readers paste a token.",
    );
  },
);
