/** How a reader signs in on the page. The page loads `config.json` first; it contains no secrets. */
export type SignIn =
  /** No sign-in: the server only listens on this machine. */
  | { readonly kind: "none" }
  /** The reader pastes a bearer token. The page keeps it while the tab is open. */
  | { readonly kind: "token" }
  /** OpenID Connect, authorization code flow with PKCE (RFC 7636). A public client has no client secret. */
  | {
      readonly kind: "oidc";
      /** The `iss` that the issuer puts into its redirects and ID tokens. */
      readonly issuer: string;
      readonly clientId: string;
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      /** Separated by spaces. */
      readonly scope: string;
      /**
       * The token to send to the API. Cognito's access token has no `aud`; use the id token there. @default
       * "access_token"
       */
      readonly tokenToSend?: "access_token" | "id_token";
    };

export interface PageConfig {
  readonly signIn: SignIn;
  /** The server is `outlive demo`: the page offers a tour of its data. @default false */
  readonly demo?: true;
}
