import { createHash, createHmac } from "node:crypto";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that are good for some hours, as a role's are. */
  readonly sessionToken?: string | undefined;
}

export interface UnsignedRequest {
  readonly method: string;
  /** As it is sent: its path percent-encoded as {@link encodePath} does it, its query as {@link withSignableQuery} does it. */
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface SignedBy {
  /** Whom the request is for. API Gateway's APIs are `execute-api`. */
  readonly service: "s3" | "execute-api" | "dynamodb";
  readonly region: string;
  readonly credentials: Credentials;
  readonly now: number;
}

/**
 * The headers with which AWS takes a request as one of whoever has the credentials: AWS Signature Version 4 (IAM User Guide, "Create a signed AWS API
 * request"; Amazon S3 API Reference, "transferring the payload in a single chunk"). Forty lines in place of the S3 client, which is a third of a function's
 * bundle, and of a package more for API Gateway, for whose APIs there is no client.
 */
export function signedHeaders(request: UnsignedRequest, by: SignedBy): Readonly<Record<string, string>> {
  const { service, region, credentials, now } = by;
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const bodyHash = sha256(request.body);
  const headers: Readonly<Record<string, string>> = {
    ...request.headers,
    host: request.url.host,
    "x-amz-date": time,
    ...(service === "s3" && { "x-amz-content-sha256": bodyHash }),
    ...(credentials.sessionToken !== undefined && { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    request.method,
    // S3 compares the path as it was sent; all others encode what was sent once more (SigV4, "canonical URI").
    service === "s3" ? request.url.pathname : encodePath(request.url.pathname),
    request.url.search.slice(1),
    ...names.map((name) => `${name}:${headers[name]?.trim() ?? ""}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const signature = hmac(signingKey(credentials, scope), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`);
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${names.join(";")},Signature=${signature.toString("hex")}`;
  const { host: _, ...sent } = headers;
  return { ...sent, authorization };
}

/** A key as a path: everything but letters, digits and `-._~/` is percent-encoded, which is how S3 encodes it when it compares signatures. */
export function encodePath(key: string): string {
  return key.split("/").map(encodePart).join("/");
}

/** The same question with its query as signatures have it ("canonical query string"): by name and value, encoded as {@link encodePath} does it, a space as `%20`. */
export function withSignableQuery(url: URL): URL {
  const pairs = [...url.searchParams].map(([name, value]) => [encodePart(name), encodePart(value)] as const);
  const signable = new URL(url);
  signable.search = pairs
    .sort(([a, one], [b, other]) => compareText(a, b) || compareText(one, other))
    .map((pair) => pair.join("="))
    .join("&");
  return signable;
}

/** By code points, which of what is percent-encoded are bytes. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function signingKey({ secretAccessKey }: Credentials, scope: string): Buffer {
  return scope.split("/").reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}
