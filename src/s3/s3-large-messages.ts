import { awsError } from "../aws/aws-error.ts";
import { type BackOff, fullJitter } from "../aws/back-off.ts";
import type { LargeMessages } from "../ports/large-messages.ts";
import { type Credentials, encodePath, signedHeaders } from "./sign-request.ts";

export interface S3Bucket {
  readonly bucket: string;
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<Credentials>;
  /** An emulator's address. It answers for no host name but its own, so the bucket is named in the path. @default AWS, the bucket in the host's name */
  readonly endpoint?: string | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
  /** @default fullJitter() with three attempts */
  readonly backOff?: BackOff;
  readonly now?: () => number;
}

const REQUEST_MILLIS = 10_000;

/**
 * Messages that no record holds, each an object of its own under the name that is given. S3 takes 5 GB in one PutObject; SQS brings 1 MiB. Whoever may not list
 * the bucket is told that an object is forbidden where it is not there (S3, GetObject, "Permissions"). Throws an AwsError.
 */
export function createS3LargeMessages(bucket: S3Bucket): LargeMessages {
  return {
    keep: async (name, bytes) => {
      await ask(bucket, { method: "PUT", name, bytes });
    },
    read: async (name) => {
      const response = await ask(bucket, { method: "GET", name });
      return response && new Uint8Array(await response.arrayBuffer());
    },
  };
}

interface Asked {
  readonly method: "PUT" | "GET";
  readonly name: string;
  readonly bytes?: Uint8Array;
}

/** S3's answer, or `undefined` where there is no such object. */
async function ask(bucket: S3Bucket, asked: Asked): Promise<Response | undefined> {
  try {
    return await askAgain(bucket, asked);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "NoSuchKey") return undefined;
    throw awsError(`Bucket ${bucket.bucket}`, brokenConnection(cause) ?? cause);
  }
}

/** fetch wraps what happened to a connection in a TypeError that only says "fetch failed". */
function brokenConnection(cause: unknown): Error | undefined {
  return cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : undefined;
}

/** S3 asks to try again at once what it could not do at this moment (5xx, SlowDown); putting the same object twice changes nothing. */
async function askAgain(bucket: S3Bucket, asked: Asked): Promise<Response> {
  const { backOff = fullJitter({ attempts: 3 }) } = bucket;
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) await backOff.pause(attempt);
    const response = await sendSigned(bucket, asked);
    if (response.ok) return response;
    if (response.status < 500 || attempt >= backOff.attempts) throw await refusal(response);
  }
}

async function sendSigned(bucket: S3Bucket, { method, name, bytes }: Asked): Promise<Response> {
  const { fetch: send = fetch, now = Date.now } = bucket;
  const [region, credentials] = await Promise.all([bucket.region(), bucket.credentials()]);
  const url = urlOf(bucket, region, name);
  const headers: Readonly<Record<string, string>> =
    bytes === undefined ? {} : { "content-type": "application/octet-stream" };
  const request = { method, url, headers, body: bytes ?? new Uint8Array() };
  return send(url, {
    method,
    headers: signedHeaders(request, { region, credentials, now: now() }),
    ...(bytes !== undefined && { body: new Uint8Array(bytes) }),
    signal: AbortSignal.timeout(REQUEST_MILLIS),
  });
}

function urlOf({ bucket, endpoint }: S3Bucket, region: string, name: string): URL {
  if (endpoint !== undefined) return new URL(`/${bucket}/${encodePath(name)}`, endpoint);
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return new URL(`https://${bucket}.s3.${region}.${domain}/${encodePath(name)}`);
}

/** What S3 said, as its SDK would throw it: named by the code in the XML of its answer. */
async function refusal(response: Response): Promise<Error> {
  const text = await response.text();
  const error = new Error(element(text, "Message") ?? `S3 answered ${response.status}.`);
  error.name = element(text, "Code") ?? "S3Error";
  return Object.assign(error, { $metadata: { httpStatusCode: response.status } });
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
