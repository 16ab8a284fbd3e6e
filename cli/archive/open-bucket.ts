import type { BucketFolder } from "../../src/adapters/s3/upload-file.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { processEnvironment } from "../../src/host/runtime/process-environment.ts";

/** Opens `s3://BUCKET/FOLDER`. Loads the client of S3 only here. */
export async function openBucket(name: string): Promise<BucketFolder> {
  const [, bucket, folder = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(name) ?? [];
  if (bucket === undefined) throw new CommandFailure(2, `${name} is no folder. Name a folder, or s3://BUCKET/FOLDER.`);
  const { createS3Client } = await import("../../src/adapters/s3/s3-client.ts");
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3 = AWS_ENDPOINT_URL } = processEnvironment();
  const client = createS3Client({ endpoint: AWS_ENDPOINT_URL_S3 });
  return { client, bucket, prefix: folder.replace(/\/+$/, "") };
}
