import { S3Client } from "@aws-sdk/client-s3";

const REQUEST_MILLIS = 30_000;
const CONNECTION_MILLIS = 3_000;

export interface S3ClientOptions {
  /** Names the bucket in the path instead of the host: emulators answer for no host name but their own. @default false */
  readonly forcePathStyle?: boolean;
}

/** A client with the SDK's standard settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) come from the environment. */
export function createS3Client({ forcePathStyle = false }: S3ClientOptions = {}): S3Client {
  return new S3Client({
    forcePathStyle,
    requestHandler: {
      connectionTimeout: CONNECTION_MILLIS,
      requestTimeout: REQUEST_MILLIS,
      throwOnRequestTimeout: true,
    },
  });
}
