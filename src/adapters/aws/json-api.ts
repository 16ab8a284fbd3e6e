import * as v from "valibot";
import { attemptsOf } from "../../ports/concurrency/retry.ts";
import { batchRetry } from "./batch-retry.ts";
import { signedHeaders, type SignedEndpoint, type Signer } from "./sign-request.ts";

/** A service of AWS with the protocol JSON 1.0. */
export interface JsonService {
  /** Its name in messages. */
  readonly name: string;
  readonly signingName: Signer["service"];
  /** What precedes the region in its host name, for example `streams.dynamodb`. */
  readonly host: string;
  /** What precedes the action in the header `x-amz-target`. */
  readonly target: string;
  /** Errors with status 400 that may succeed on a later attempt. */
  readonly throttles: readonly string[];
}

export interface JsonRequest {
  readonly action: string;
  readonly body: object;
}

const REQUEST_MILLIS = 10_000;

/**
 * Sends requests to a service and returns its answers. Requests are signed here, because an SDK client would be one
 * more package for few requests. Throws errors as the SDK would: the caller gives them to awsError (aws-error.ts).
 */
export async function callJson(
  service: JsonService,
  endpoint: SignedEndpoint,
  { action, body }: JsonRequest,
): Promise<unknown> {
  const bytes = Buffer.from(JSON.stringify(body));
  let error: Error | undefined;
  for await (const _ of attemptsOf(endpoint.retry ?? batchRetry())) {
    const attempt = await attemptOnce({ service, endpoint, action }, bytes);
    if (!("error" in attempt)) return attempt.answer;
    error = attempt.error;
    if (!attempt.isPassing) break;
  }
  throw error ?? new Error(`Cannot call ${service.name} (${action}): its retry policy allows no attempt.`);
}

interface Call {
  readonly service: JsonService;
  readonly endpoint: SignedEndpoint;
  readonly action: string;
}

/** `isPassing`: another attempt may succeed. */
type Attempt = { readonly answer: unknown } | { readonly error: Error; readonly isPassing: boolean };

/** A server may close a connection that was kept open: the same request succeeds on another one. */
async function attemptOnce(call: Call, body: Buffer<ArrayBuffer>): Promise<Attempt> {
  try {
    const response = await send(call, body);
    const text = await response.text();
    if (response.ok) return { answer: JSON.parse(text) as unknown };
    const error = errorIn(call.service, response.status, text);
    return { error, isPassing: response.status >= 500 || call.service.throttles.includes(error.name) };
  } catch (cause) {
    const broken = connectionError(cause);
    if (broken === undefined) throw cause;
    return { error: broken, isPassing: true };
  }
}

async function send({ service, endpoint, action }: Call, body: Buffer<ArrayBuffer>): Promise<Response> {
  const { endpoint: address, fetch: request = fetch, now = Date.now } = endpoint;
  const [region, credentials] = await Promise.all([endpoint.region(), endpoint.credentials()]);
  const url = new URL(address ?? `https://${service.host}.${region}.${domainOf(region)}`);
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `${service.target}.${action}` };
  const signer = { service: service.signingName, region, credentials, now: now() };
  const signed = await signedHeaders({ method: "POST", url, headers, body }, signer);
  return request(url, { method: "POST", headers: signed, body, signal: AbortSignal.timeout(REQUEST_MILLIS) });
}

function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

const problem = v.looseObject({
  __type: v.optional(v.string(), ""),
  message: v.exactOptional(v.string()),
  Message: v.exactOptional(v.string()),
});

/** The error as the SDK would throw it. */
function errorIn({ name }: JsonService, status: number, text: string): Error {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), problem), text);
  const { __type = "", message, Message } = read.success ? read.output : {};
  const error = new Error(message ?? Message ?? `${name} answered ${status}.`);
  error.name = __type.slice(__type.lastIndexOf("#") + 1) || `${name.replaceAll(" ", "")}Error`;
  return Object.assign(error, { $metadata: { httpStatusCode: status } });
}

/** fetch wraps a connection's error in a TypeError: "fetch failed", or "terminated" while the body is read. */
function connectionError(cause: unknown): Error | undefined {
  return cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : undefined;
}
