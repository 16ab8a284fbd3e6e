import { signal } from "@preact/signals";
import type { SignIn } from "../../src/http/page/page-config.ts";
import { signIn } from "./session.ts";

type Oidc = Extract<SignIn, { kind: "oidc" }>;

/** Why the last sign-in came to nothing, in a sentence. */
export const signInFailure = signal<string | undefined>(undefined);

const KEY = "outlive.sign-in";

/** What this tab remembers while the reader is at the issuer's page. */
interface UnderWay {
  readonly state: string;
  readonly verifier: string;
  /** Where the reader was. */
  readonly hash: string;
}

/** Authorization code flow with PKCE: leaves for the issuer's page (RFC 7636, 4.3; the only method is S256). */
export async function beginSignIn({ clientId, authorizationEndpoint, scope }: Oidc): Promise<void> {
  const underWay: UnderWay = { state: randomText(), verifier: randomText(), hash: location.hash };
  sessionStorage.setItem(KEY, JSON.stringify(underWay));
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope,
    state: underWay.state,
    code_challenge: await challengeOf(underWay.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** The address is what an issuer sends its readers back to: with a code, or with the reason why there is none (RFC 6749, 4.1.2). */
export function isBackFromIssuer(): boolean {
  const parameters = new URLSearchParams(location.search);
  return parameters.has("state") && (parameters.has("code") || parameters.has("error"));
}

/** Where the reader comes back from the issuer: takes the code out of the address and changes it for a token. */
export async function finishSignIn(way: Oidc): Promise<void> {
  const parameters = new URLSearchParams(location.search);
  const [code, state, error] = [parameters.get("code"), parameters.get("state"), parameters.get("error")];
  const underWay = readUnderWay();
  sessionStorage.removeItem(KEY);
  history.replaceState(null, "", `${location.pathname}${underWay?.hash ?? ""}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
  if (underWay === undefined || underWay.state !== state) {
    signInFailure.value = "This sign-in was not begun in this tab. Begin it again.";
  } else if (code === null) {
    signInFailure.value = `The issuer refused: ${parameters.get("error_description") ?? error ?? ""}`;
  } else {
    await redeem(way, code, underWay.verifier);
  }
}

async function redeem(way: Oidc, code: string, verifier: string): Promise<void> {
  try {
    const response = await fetch(way.tokenEndpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: way.clientId,
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri(),
      }),
    });
    const body = (await response.json()) as Readonly<Record<string, unknown>>;
    const token = body[way.tokenToSend ?? "access_token"];
    if (response.ok && typeof token === "string") {
      signInFailure.value = undefined;
      signIn(token);
    } else {
      signInFailure.value = `The issuer gave no token (${response.status}). Sign in again.`;
    }
  } catch {
    signInFailure.value = "The issuer is out of reach, or does not let this page ask it. Sign in again.";
  }
}

/** Where the page is, without query and fragment: it must be registered with the issuer to the letter. */
function redirectUri(): string {
  return `${location.origin}${location.pathname}`;
}

function readUnderWay(): UnderWay | undefined {
  const text = sessionStorage.getItem(KEY);
  // This page wrote it.
  return text === null ? undefined : (JSON.parse(text) as UnderWay);
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
