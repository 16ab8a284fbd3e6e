import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { awsError } from "../aws/aws-error.ts";
import type { LargeMessages } from "../ports/large-messages.ts";

/** Messages that no record holds, each an object of its own under the name that is given. S3 takes 5 GB in one PutObject; SQS brings 1 MiB. */
export function createS3LargeMessages(client: S3Client, bucket: string): LargeMessages {
  return {
    keep: async (name, bytes) => {
      try {
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: name, Body: bytes }));
      } catch (cause) {
        throw awsError(`Bucket ${bucket}`, cause);
      }
    },
  };
}
