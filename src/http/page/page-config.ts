/** How a reader of the page signs in. The page asks for `config.json` before anything else; it holds nothing secret. */
export type SignIn =
  /** Nobody is asked who they are: a server for this machine only. */
  | { readonly kind: "none" }
  /** The reader pastes a bearer token, which the page keeps for as long as its tab is open. */
  | { readonly kind: "token" }
  /** OpenID Connect, authorization code flow with PKCE (RFC 7636): a public client, so there is no client secret. */
  | {
      readonly kind: "oidc";
      /** The `iss` that the issuer puts into its redirects and ID tokens. */
      readonly issuer: string;
      readonly clientId: string;
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      /** Separated by spaces. */
      readonly scope: string;
      /** Which of the tokens the API is sent. Cognito's access token has no `aud`: send the id token there. @default "access_token" */
      readonly tokenToSend?: "access_token" | "id_token";
    };

export interface PageConfig {
  readonly signIn: SignIn;
}
