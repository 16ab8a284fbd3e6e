import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

/** The default claims of a token. Instants are seconds since 1970, years away from the present. */
const STANDARD_CLAIMS: JWTPayload = { sub: "someone", exp: seconds("2100-01-01"), iat: seconds("2020-01-01") };

/** A claim that is `undefined` is omitted. */
type Claims = Readonly<Record<string, unknown>>;

interface TokenWanted {
  readonly claims?: Claims;
  readonly header?: Readonly<Record<string, unknown>>;
  /** The signing key. @default the issuer's key */
  readonly key?: SigningKey;
}
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly publicPem: string;
}

export async function makeKey(kid: string, alg = "RS256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  return { kid, alg, privateKey, publicJwk, publicPem: await exportSPKI(publicKey) };
}

/** A small OpenID Connect issuer on this machine: real keys, real documents, over HTTP. */
export class OidcIssuer {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  /** The document of each path; a URL is a redirect. Tests remove or change documents. */
  readonly documents = new Map<string, unknown>();
  /** The requested paths in order. */
  readonly asked: string[] = [];
  key: SigningKey;

  private constructor(server: ReturnType<typeof createServer>, key: SigningKey) {
    this.#server = server;
    this.key = key;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
    this.documents.set("/.well-known/openid-configuration", { issuer: this.url, jwks_uri: `${this.url}/keys` });
    this.publish(key);
  }

  static async start(): Promise<OidcIssuer> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new OidcIssuer(server, await makeKey("first"));
  }

  /** Replaces the public keys. */
  publish(...keys: readonly SigningKey[]): void {
    this.documents.set("/keys", { keys: keys.map(({ publicJwk }) => publicJwk) });
  }

  async token({ claims = {}, header = {}, key = this.key }: TokenWanted = {}): Promise<string> {
    const payload = { ...STANDARD_CLAIMS, iss: this.url, aud: "outlive", ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "";
    this.asked.push(path);
    const document = this.documents.get(path);
    if (document instanceof URL) {
      response.writeHead(302, { location: document.href }).end();
      return;
    }
    response.writeHead(document === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(typeof document === "string" ? document : JSON.stringify(document ?? {}));
  }
}

export function seconds(text: string): number {
  return Date.parse(text) / 1_000;
}

/** A token with parts that no library would sign. */
export function handMadeToken(header: unknown, claims: unknown, signature = ""): string {
  return [header, claims].map((part) => base64url(JSON.stringify(part))).join(".") + `.${signature}`;
}

export function base64url(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
