import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  type Client,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  validateAuthResponse,
} from "oauth4webapi";
import type { SignIn } from "../../src/http/page/page-config.ts";

export type OidcSignIn = Extract<SignIn, { kind: "oidc" }>;

/** What the tab remembers while the reader is at the issuer. */
export interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
}

/**
 * The address of the issuer's sign-in page (RFC 7636, section 4.3), and what the tab must remember until the reader
 * returns.
 */
export async function authorizationRequest(
  { clientId, authorizationEndpoint, scope }: OidcSignIn,
  redirectUri: string,
): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
  const pending = { state: generateRandomState(), verifier: generateRandomCodeVerifier() };
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state: pending.state,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, pending };
}

export interface AuthorizationResponse {
  /** The parameters that the issuer added to the redirect URI. */
  readonly parameters: URLSearchParams;
  readonly pending: PendingSignIn;
  readonly redirectUri: string;
}

export type TokenResult =
  | { readonly outcome: "token"; readonly token: string }
  | { readonly outcome: "failed"; readonly reason: string };

/** Exchanges the authorization code for the token that the API accepts. */
export async function exchangeCode(signIn: OidcSignIn, returned: AuthorizationResponse): Promise<TokenResult> {
  const { issuer, clientId, tokenEndpoint, tokenToSend = "access_token" } = signIn;
  const server: AuthorizationServer = { issuer, token_endpoint: tokenEndpoint };
  const client: Client = { client_id: clientId };
  try {
    const parameters = validateAuthResponse(server, client, returned.parameters, returned.pending.state);
    const { redirectUri, pending } = returned;
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      None(),
      parameters,
      redirectUri,
      pending.verifier,
      // oxlint-disable-next-line typescript/no-deprecated -- only for an issuer on this machine
      { [allowInsecureRequests]: isThisMachine(tokenEndpoint) },
    );
    const tokens = await processAuthorizationCodeResponse(server, client, response, {
      requireIdToken: tokenToSend === "id_token",
    });
    // `requireIdToken` makes the library throw where there is no id token.
    return { outcome: "token", token: tokens[tokenToSend] ?? "" };
  } catch (error) {
    return { outcome: "failed", reason: reasonOf(error) };
  }
}

function isThisMachine(url: string): boolean {
  return ["127.0.0.1", "[::1]", "localhost"].includes(new URL(url).hostname);
}

/**
 * Any error ends the sign-in: the library's own errors, or the TypeError of a request that did not reach the issuer.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError) {
    return `The issuer refused the sign-in: ${error.error_description ?? error.error}. Sign in again.`;
  }
  if (error instanceof ResponseBodyError) {
    const { status, error_description: description = error.error } = error;
    return `The issuer did not issue a token (${status}): ${description}. Sign in again.`;
  }
  if (error instanceof TypeError) {
    return "Cannot reach the issuer, or the issuer does not allow requests from this page (CORS). Sign in again.";
  }
  return `Cannot complete the sign-in: ${error instanceof Error ? error.message : String(error)}. Sign in again.`;
}
