import { S3Client } from "@aws-sdk/client-s3";
import { type ClientIdentity, requestLimits } from "../aws/request-limits.ts";

/** An object of the archive has some ten megabytes at most. */
const REQUEST_MILLIS = 30_000;
/**
 * With the SDK's back-off, these attempts take several seconds: S3 answers "SlowDown" while it adds partitions for a
 * prefix.
 */
const ATTEMPTS = 6;

export interface S3ClientOptions extends ClientIdentity {
  /** An emulator's address. Expects the bucket's name in the path. @default AWS, which expects it in the host name */
  readonly endpoint?: string | undefined;
  /** The number of attempts of a request. @default 6 */
  readonly attempts?: number;
  /** The timeout of a request, in milliseconds. @default 30,000 */
  readonly requestMillis?: number;
}

/** A client with the SDK's default region and credentials. Reuse it: it keeps its connections. */
export function createS3Client({
  endpoint,
  attempts = ATTEMPTS,
  requestMillis = REQUEST_MILLIS,
  ...identity
}: S3ClientOptions = {}): S3Client {
  return new S3Client({
    ...identity,
    maxAttempts: attempts,
    requestHandler: requestLimits(requestMillis),
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
  });
}
