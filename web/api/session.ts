import { signal } from "@preact/signals";

/** The token is kept in this tab only: other tabs do not share sessionStorage, and it is deleted with the tab. */
const KEY = "outlive.token";

const token = signal(sessionStorage.getItem(KEY) ?? undefined);

/**
 * Whether the API requires a sign-in. `refused`: it rejected the token. `open`: no sign-in is required, as far as
 * known.
 */
export const session = signal<"open" | "required" | "refused">("open");

export function authorization(): Readonly<Record<string, string>> {
  return token.value === undefined ? {} : { authorization: `Bearer ${token.value}` };
}

export function hasToken(): boolean {
  return token.value !== undefined;
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

/** The API responded with 401. */
export function signedOut(): void {
  session.value = token.value === undefined && session.value !== "refused" ? "required" : "refused";
  forget();
}

function forget(): void {
  sessionStorage.removeItem(KEY);
  token.value = undefined;
}
