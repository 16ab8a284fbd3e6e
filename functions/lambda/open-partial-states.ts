import { createS3Client } from "../../src/adapters/s3/s3-client.ts";
import { createS3Objects } from "../../src/adapters/s3/s3-objects.ts";
import type { ArchivePlace } from "../../src/ports/deployment/settings/function-settings.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";

/** The bucket of a replay's partial states. */
export function openPartialStates({ bucket, endpoint }: ArchivePlace): ObjectStore {
  return createS3Objects(createS3Client({ endpoint }), { bucket });
}
