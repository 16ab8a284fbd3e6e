import { awsError } from "../aws/aws-error.ts";
import { batchRetry } from "../aws/batch-retry.ts";
import { percentEncode } from "../aws/percent-encode.ts";
import { signedHeaders, type SignedEndpoint } from "../aws/sign-request.ts";
import { xmlElement } from "../aws/xml-element.ts";
import { attemptsOf, type Retry } from "../../ports/concurrency/retry.ts";
import type { LargeMessages } from "../../ports/large-messages.ts";

/** A bucket. An emulator expects its name in the path, AWS in the host name. */
export interface S3Bucket extends SignedEndpoint {
  readonly bucket: string;
  /** @default batchRetry(3) */
  readonly retry?: Retry;
}

const REQUEST_MILLIS = 10_000;

/**
 * Messages that are too large for a record, as objects. It uses fetch, because the SDK's S3 client is a third of a
 * function's bundle. Without permission to list the bucket, S3 answers "access denied" for a missing object (S3,
 * GetObject, "Permissions"). Throws an AwsError.
 */
export function createS3LargeMessages(bucket: S3Bucket): LargeMessages {
  return {
    keep: async (name, bytes) => {
      await request(bucket, { method: "PUT", name, bytes });
    },
    read: async (name) => {
      const response = await request(bucket, { method: "GET", name });
      return response && new Uint8Array(await response.arrayBuffer());
    },
  };
}

interface ObjectRequest {
  readonly method: "PUT" | "GET";
  readonly name: string;
  readonly bytes?: Uint8Array;
}

/** S3's response, or `undefined` where the object does not exist. */
async function request(bucket: S3Bucket, object: ObjectRequest): Promise<Response | undefined> {
  try {
    return await sendWithRetries(bucket, object);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "NoSuchKey") return undefined;
    throw awsError(`Bucket ${bucket.bucket}`, connectionError(cause) ?? cause);
  }
}

/** fetch wraps a connection's error in a TypeError with the message "fetch failed". */
function connectionError(cause: unknown): Error | undefined {
  return cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : undefined;
}

/** S3 expects clients to retry 5xx responses (SlowDown). Writing the same object again changes nothing. */
async function sendWithRetries(bucket: S3Bucket, object: ObjectRequest): Promise<Response> {
  let error: Error | undefined;
  for await (const _ of attemptsOf(bucket.retry ?? batchRetry(3))) {
    const response = await sendSigned(bucket, object);
    if (response.ok) return response;
    error = await errorIn(response);
    if (response.status < 500) break;
  }
  throw error ?? new Error(`Cannot call S3 for ${object.name}: its retry policy allows no attempt.`);
}

async function sendSigned(bucket: S3Bucket, { method, name, bytes }: ObjectRequest): Promise<Response> {
  const { fetch: send = fetch, now = Date.now } = bucket;
  const [region, credentials] = await Promise.all([bucket.region(), bucket.credentials()]);
  const url = urlOf(bucket, region, name);
  const unsigned = {
    method,
    url,
    ...(bytes !== undefined && { headers: { "content-type": "application/octet-stream" }, body: bytes }),
  };
  return send(url, {
    method,
    headers: await signedHeaders(unsigned, { service: "s3", region, credentials, now: now() }),
    ...(bytes !== undefined && { body: new Uint8Array(bytes) }),
    signal: AbortSignal.timeout(REQUEST_MILLIS),
  });
}

function urlOf({ bucket, endpoint }: S3Bucket, region: string, name: string): URL {
  const path = name.split("/").map(percentEncode).join("/");
  if (endpoint !== undefined) return new URL(`/${bucket}/${path}`, endpoint);
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return new URL(`https://${bucket}.s3.${region}.${domain}/${path}`);
}

/** S3's error as its SDK would throw it, named by the code in the XML of the response. */
async function errorIn(response: Response): Promise<Error> {
  const text = await response.text();
  const error = new Error(xmlElement(text, "Message") ?? `S3 answered ${response.status}.`);
  error.name = xmlElement(text, "Code") ?? "S3Error";
  return Object.assign(error, { $metadata: { httpStatusCode: response.status } });
}
