import { signal } from "@preact/signals";

/** The token is kept in this tab only: other tabs do not share sessionStorage, and it is deleted with the tab. */
const KEY = "outlive.token";

const token = signal(sessionStorage.getItem(KEY) ?? undefined);

/**
 * Whether the API requires a sign-in. `refused`: it rejected the token. `open`: no sign-in is required, as far as
 * known.
 */
export const session = signal<"open" | "required" | "refused">("open");

/** The token of requests that are sent now. */
export function currentToken(): string | undefined {
  return token.value;
}

export function authorization(): Readonly<Record<string, string>> {
  return token.value === undefined ? {} : { authorization: `Bearer ${token.value}` };
}

export function signIn(given: string): void {
  sessionStorage.setItem(KEY, given);
  token.value = given;
  session.value = "open";
}

export function signOut(): void {
  forget();
  session.value = "required";
}

/**
 * The API responded with 401 to a request with the token `used`. Returns whether the session has ended: a late response
 * does not end a later session.
 */
export function signedOut(used: string | undefined): boolean {
  if (token.value !== undefined && token.value !== used) return false;
  session.value = token.value === undefined && session.value !== "refused" ? "required" : "refused";
  forget();
  return true;
}

function forget(): void {
  sessionStorage.removeItem(KEY);
  token.value = undefined;
}
