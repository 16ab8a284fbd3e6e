import { awsError } from "../aws/aws-error.ts";
import { batchRetry } from "../aws/batch-retry.ts";
import { type Credentials, signedHeaders, type SignedEndpoint } from "../aws/sign-request.ts";
import { xmlElement } from "../aws/xml-element.ts";
import { attemptsOf } from "../../ports/concurrency/retry.ts";

/** Credentials of a role. They expire after an hour, unless the role says otherwise. */
export interface SessionCredentials extends Credentials {
  readonly sessionToken: string;
  readonly expiration: Date;
}

/**
 * The ARN of the caller: `arn:aws:iam::ACCOUNT:user/NAME`, or of the session of a role. It needs no permission (STS API
 * reference, GetCallerIdentity). Throws an AwsError.
 */
export async function callerArn(service: SignedEndpoint): Promise<string> {
  const answer = await call(service, { Action: "GetCallerIdentity" }, "The identity of the caller");
  return xmlElement(answer, "Arn") ?? "";
}

/**
 * Credentials of a role, with a name of the session that CloudTrail shows. The session of a role that assumes another
 * one lasts an hour at most (STS API reference, AssumeRole: role chaining). Throws an AwsError.
 */
export async function assumeRole(
  service: SignedEndpoint,
  { role, session }: { readonly role: string; readonly session: string },
): Promise<SessionCredentials> {
  const parameters = { Action: "AssumeRole", RoleArn: role, RoleSessionName: sessionName(session) };
  const answer = await call(service, parameters, `The role ${role}`);
  const [accessKeyId = "", secretAccessKey = "", sessionToken = "", expiration = ""] = [
    "AccessKeyId",
    "SecretAccessKey",
    "SessionToken",
    "Expiration",
  ].map((name) => xmlElement(answer, name));
  return { accessKeyId, secretAccessKey, sessionToken, expiration: new Date(expiration) };
}

/** STS accepts 2 to 64 of these characters. */
function sessionName(text: string): string {
  return text
    .replaceAll(/[^\w+=,.@-]/g, "-")
    .slice(-64)
    .padStart(2, "-");
}

const VERSION = "2011-06-15";
const REQUEST_MILLIS = 10_000;

/** Requests are signed here, because an SDK client would be one more package for two requests. */
async function call(
  service: SignedEndpoint,
  parameters: Readonly<Record<string, string>>,
  subject: string,
): Promise<string> {
  let error: Error | undefined;
  try {
    for await (const _ of attemptsOf(service.retry ?? batchRetry())) {
      const response = await send(service, parameters);
      const text = await response.text();
      if (response.ok) return text;
      error = errorIn(response.status, text);
      if (response.status < 500) break;
    }
    throw error ?? new Error("Cannot call STS: its retry policy allows no attempt.");
  } catch (cause) {
    throw awsError(subject, cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : cause);
  }
}

async function send(
  { region: regionOf, credentials: credentialsOf, endpoint, fetch: request = fetch, now = Date.now }: SignedEndpoint,
  parameters: Readonly<Record<string, string>>,
): Promise<Response> {
  const [region, credentials] = await Promise.all([regionOf(), credentialsOf()]);
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const url = new URL(endpoint ?? `https://sts.${region}.${domain}`);
  const body = Buffer.from(new URLSearchParams({ ...parameters, Version: VERSION }).toString());
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const signer = { service: "sts", region, credentials, now: now() } as const;
  const signed = await signedHeaders({ method: "POST", url, headers, body }, signer);
  return request(url, { method: "POST", headers: signed, body, signal: AbortSignal.timeout(REQUEST_MILLIS) });
}

/** The error as the SDK would throw it, named by its code. */
function errorIn(status: number, text: string): Error {
  const error = new Error(xmlElement(text, "Message") ?? `STS answered ${status}.`);
  error.name = xmlElement(text, "Code") ?? "STSError";
  return Object.assign(error, { $metadata: { httpStatusCode: status } });
}
