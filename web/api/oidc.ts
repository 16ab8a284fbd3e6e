import { signal } from "@preact/signals";
import type { OidcSignIn, PendingSignIn } from "./oidc-flow.ts";
import { signIn } from "./session.ts";

/** Why the last sign-in failed, as a sentence. */
export const signInFailure = signal<string | undefined>(undefined);

const KEY = "outlive.sign-in";

/** What the tab remembers while the reader is at the issuer. */
interface LeftTab extends PendingSignIn {
  /** The view that the reader came from. */
  readonly hash: string;
}

/** Sends the reader to the issuer's sign-in page: authorization code flow with PKCE. */
export async function beginSignIn(way: OidcSignIn): Promise<void> {
  // Loaded only here: most visits to the page need no sign-in.
  const { authorizationRequest } = await import("./oidc-flow.ts");
  const { url, pending } = await authorizationRequest(way, redirectUri());
  const left: LeftTab = { ...pending, hash: location.hash };
  sessionStorage.setItem(KEY, JSON.stringify(left));
  location.assign(url);
}

/** Whether the issuer sent the reader back here: with a code, or with an error (RFC 6749, section 4.1.2). */
export function isBackFromIssuer(): boolean {
  const parameters = new URLSearchParams(location.search);
  return parameters.has("state") && (parameters.has("code") || parameters.has("error"));
}

/** Removes the issuer's parameters from the address, restores the view, and exchanges the code for a token. */
export async function finishSignIn(way: OidcSignIn): Promise<void> {
  const parameters = new URLSearchParams(location.search);
  const pending = takePending();
  history.replaceState(null, "", `${location.pathname}${pending?.hash ?? ""}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
  if (pending === undefined) {
    signInFailure.value = "This tab did not start the sign-in. Sign in again.";
    return;
  }
  const { exchangeCode } = await import("./oidc-flow.ts");
  const result = await exchangeCode(way, { parameters, pending, redirectUri: redirectUri() });
  signInFailure.value = result.outcome === "failed" ? result.reason : undefined;
  if (result.outcome === "token") signIn(result.token);
}

/**
 * The address of the page without query and fragment. The issuer compares it, character by character, with the
 * registered one.
 */
function redirectUri(): string {
  return `${location.origin}${location.pathname}`;
}

function takePending(): LeftTab | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  // Only beginSignIn writes this key.
  return text === null ? undefined : (JSON.parse(text) as LeftTab);
}
