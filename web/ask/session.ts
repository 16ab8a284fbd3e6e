import { signal } from "@preact/signals";

/** The token lives as long as the tab: sessionStorage is not shared with other tabs and is gone when this one closes. */
const KEY = "outlive.token";

const token = signal(sessionStorage.getItem(KEY) ?? undefined);

/** Whether the API asked who this is: `refused` says that a token was sent and not taken. */
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

/** The API answered 401. */
export function signedOut(): void {
  session.value = token.value === undefined && session.value !== "refused" ? "asked" : "refused";
  forget();
}

function forget(): void {
  sessionStorage.removeItem(KEY);
  token.value = undefined;
}
