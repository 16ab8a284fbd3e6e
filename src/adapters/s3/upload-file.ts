import { open } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { awsError } from "../aws/aws-error.ts";

/** A folder of a bucket, and a client for it. */
export interface BucketFolder {
  readonly client: S3Client;
  readonly bucket: string;
  /** Without slashes at its ends; "" for the bucket itself. */
  readonly prefix: string;
}

/** An upload has at most 10,000 parts: of this size, 156 GiB. All but the last have at least 5 MiB. */
const PART_BYTES = 16 * 1024 ** 2;

/**
 * Uploads a file of any size, in parts. The object exists when all parts have arrived: an interrupted upload leaves
 * none. Throws an AwsError.
 */
export async function uploadFile({ client, bucket, prefix }: BucketFolder, name: string, file: string): Promise<void> {
  const target = { Bucket: bucket, Key: prefix === "" ? name : `${prefix}/${name}` };
  try {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    const upload = { ...target, UploadId };
    try {
      const Parts = await uploadParts(client, upload, file);
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    } catch (cause) {
      // S3 keeps, and charges for, the parts of an upload that is not aborted.
      await client.send(new AbortMultipartUploadCommand(upload));
      throw cause;
    }
  } catch (cause) {
    throw awsError(`Bucket ${bucket}`, cause);
  }
}

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

async function uploadParts(client: S3Client, upload: Upload, file: string): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  for await (const Body of partsOf(file)) {
    const PartNumber = parts.length + 1;
    // S3 requires the checksums that the SDK sent with the parts.
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    parts.push({ PartNumber, ETag, ChecksumCRC32 });
  }
  return parts;
}

/** The parts of a file. An empty file has one. */
async function* partsOf(file: string): AsyncGenerator<Uint8Array> {
  const opened = await open(file, "r");
  try {
    const { size } = await opened.stat();
    let sent = 0;
    do {
      const { bytesRead, buffer } = await opened.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES);
      yield buffer.subarray(0, bytesRead);
      sent += bytesRead;
    } while (sent < size);
  } finally {
    await opened.close();
  }
}
