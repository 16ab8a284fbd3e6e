import { fetchDocument, IssuerUnreachableError } from "./fetch-document.ts";

/**
 * Reads the URL of the issuer's keys from its discovery document (OpenID Connect Discovery 1.0, section 4).
 * Throws {@link IssuerUnreachableError}.
 */
export async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = parse(url, await fetchDocument(url));
  // Section 4.3: otherwise the document of one tenant could name the keys of another.
  if (document["issuer"] !== issuer) {
    throw new IssuerUnreachableError(
      url,
      `names issuer ${JSON.stringify(document["issuer"])}, but the configured issuer is ` +
        `${JSON.stringify(issuer)}. Configure the issuer exactly as its document names it.`,
    );
  }
  const keys = document["jwks_uri"];
  if (typeof keys === "string" && isTrustworthyUrl(keys)) return keys;
  throw new IssuerUnreachableError(url, "has no jwks_uri that begins with https://.");
}

/** Whether the URL is encrypted, or stays on this machine. Anyone could answer an unencrypted request. */
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
  throw new IssuerUnreachableError(url, "did not return a JSON object.");
}
