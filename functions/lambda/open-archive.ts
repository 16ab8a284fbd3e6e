import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import type { ArchivePlace } from "../../src/ports/deployment/settings/function-settings.ts";
import { createS3Client, type S3ClientOptions } from "../../src/adapters/s3/s3-client.ts";
import { createS3Objects } from "../../src/adapters/s3/s3-objects.ts";

export type OpenArchiveOptions = Omit<S3ClientOptions, "endpoint">;

/** The archive of the stage. */
export function openArchive({ bucket, endpoint }: ArchivePlace, options: OpenArchiveOptions = {}): ObjectStore {
  return createS3Objects(createS3Client({ endpoint, ...options }), { bucket, prefix: ARCHIVE_FOLDER });
}
