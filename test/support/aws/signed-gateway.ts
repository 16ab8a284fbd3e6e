import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface SignedGateway {
  readonly url: string;
  /** The path and query of each request with a valid signature. */
  readonly asked: readonly string[];
  readonly close: () => void;
}

interface Caller {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

/**
 * API Gateway in front of `answer`. It recomputes the signature of each request from the received bytes, and rejects
 * requests that `caller` did not sign with API Gateway's messages.
 */
export async function startSignedGateway(caller: Caller, answer: (path: string) => unknown): Promise<SignedGateway> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const refused = refusalOf(request, caller);
    if (refused === undefined) asked.push(request.url ?? "");
    const body = refused === undefined ? answer(request.url ?? "") : { message: refused };
    response.writeHead(refused === undefined ? 200 : 403, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/live`, asked, close: () => server.close() };
}

const FIVE_MINUTES = 5 * 60_000;
const UNLIKE =
  "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key " +
  "and signing method.";

function refusalOf({ method = "", url = "", headers }: IncomingMessage, caller: Caller): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return "Missing Authentication Token";
  if (!authorization.startsWith("AWS4-HMAC-SHA256 ")) {
    return `'${authorization}' not a valid key=value pair (missing equal-sign) in Authorization header.`;
  }
  const time = String(headers["x-amz-date"]);
  if (!(Math.abs(instantOf(time) - Date.now()) < FIVE_MINUTES)) return `Signature expired: ${time} is not now.`;
  if (headers["x-amz-security-token"] !== caller.sessionToken) {
    return "The security token included in the request is invalid.";
  }
  const [, credential, signed = "", signature] =
    /Credential=([^, ]+),\s*SignedHeaders=([^, ]+),\s*Signature=([^, ]+)$/.exec(authorization) ?? [];
  const scope = [time.slice(0, 8), caller.region, "execute-api", "aws4_request"];
  const names = signed.split(";");
  const lines = names.map((name) => `${name}:${String(headers[name])}`);
  const request = canonicalRequest(method, url, [...lines, "", signed, hashOf("")]);
  const key = scope.reduce<Buffer>(mac, Buffer.from(`AWS4${caller.secretAccessKey}`));
  const expected = mac(key, ["AWS4-HMAC-SHA256", time, scope.join("/"), hashOf(request)].join("\n")).toString("hex");
  const isTheirs = credential === `${caller.accessKeyId}/${scope.join("/")}` && names.includes("host");
  return isTheirs && signature === expected ? undefined : UNLIKE;
}

/**
 * Written from the specification ("Create a signed AWS API request"): the path as it came encoded once more, the query
 * as it came in order.
 */
function canonicalRequest(method: string, url: string, rest: readonly string[]): string {
  const [path = "", query = ""] = url.split("?");
  return [method, path.split("/").map(encodeURIComponent).join("/"), query.split("&").sort().join("&"), ...rest].join(
    "\n",
  );
}

function instantOf(time: string): number {
  return Date.parse(time.replace(/^(.{4})(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
