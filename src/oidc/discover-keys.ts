import { fetchDocument, IssuerUnreachableError } from "./fetch-document.ts";

/** Where the issuer keeps its keys, as its own discovery document says (OpenID Connect Discovery 1.0, section 4). Throws {@link IssuerUnreachableError}. */
export async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = parse(url, await fetchDocument(url));
  // Section 4.3: otherwise one tenant's document could speak for another.
  if (document["issuer"] !== issuer) {
    throw new IssuerUnreachableError(
      url,
      `is of issuer ${JSON.stringify(document["issuer"])}, and this server trusts ${JSON.stringify(issuer)}: write the issuer as its document has it.`,
    );
  }
  const keys = document["jwks_uri"];
  if (typeof keys === "string" && isTrustworthyUrl(keys)) return keys;
  throw new IssuerUnreachableError(url, "names no jwks_uri that begins with https://.");
}

/** What is not encrypted could be anybody's, unless it does not leave this machine. */
export function isTrustworthyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const isPrivate = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return isPrivate && url.username === "" && url.password === "";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function parse(url: string, bytes: ArrayBuffer): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof document === "object" && document !== null) return document as Readonly<Record<string, unknown>>;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw new IssuerUnreachableError(url, "answers something that is no JSON object.");
}
