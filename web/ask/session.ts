import { signal } from "@preact/signals";

/** The token is kept in this tab only: other tabs do not share sessionStorage, and it is deleted with the tab. */
const KEY = "outlive.token";

const token = signal(sessionStorage.getItem(KEY) ?? undefined);

/** Whether the API requires a sign-in. `refused`: it rejected the token. */
export const session = signal<"open" | "asked" | "refused">("open");

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
  session.value = "asked";
}

/** The API responded with 401. */
export function signedOut(): void {
  session.value = token.value === undefined && session.value !== "refused" ? "asked" : "refused";
  forget();
}

function forget(): void {
  sessionStorage.removeItem(KEY);
  token.value = undefined;
}
