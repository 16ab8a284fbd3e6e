import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Retry } from "../../ports/concurrency/retry.ts";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only for temporary credentials, such as those of a role. */
  readonly sessionToken?: string | undefined;
}

export interface UnsignedRequest {
  readonly method: string;
  /** Percent-encoded as AWS encodes it for the signature (src/adapters/aws/percent-encode.ts). */
  readonly url: URL;
  /** By lower-case name. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface Signer {
  /** The service's signing name. */
  readonly service: "s3" | "execute-api" | "dynamodb" | "states" | "sts";
  readonly region: string;
  readonly credentials: Credentials;
  readonly now: number;
}

/** Where signed requests go. */
export interface SignedEndpoint {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<Credentials>;
  /** An emulator's address. @default AWS */
  readonly endpoint?: string | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
  /** @default batchRetry() */
  readonly retry?: Retry;
  /** @default Date.now */
  readonly now?: () => number;
}

/** The headers of a request with its Signature Version 4, except `host`. AWS accepts a signature for five minutes. */
export async function signedHeaders(
  { method, url, headers = {}, body }: UnsignedRequest,
  { service, region, credentials, now }: Signer,
): Promise<Readonly<Record<string, string>>> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const identity = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  // S3 signs the path as it is; other services sign it encoded once more.
  const uriEscapePath = service !== "s3";
  const signer = new SignatureV4({ service, region, credentials: identity, sha256: Sha256, uriEscapePath });
  const { protocol, hostname, port, pathname: path, host } = url;
  const signed = await signer.sign(
    {
      method,
      protocol,
      hostname,
      ...(port !== "" && { port: Number(port) }),
      path,
      query: queryOf(url),
      headers: { ...headers, host },
      ...(body !== undefined && { body }),
    },
    { signingDate: new Date(now) },
  );
  const { host: _, ...sent } = signed.headers;
  return sent;
}

/** The parameters by name. A name can have several values. */
function queryOf({ searchParams }: URL): Record<string, string[]> {
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}
