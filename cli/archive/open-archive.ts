import { existsSync, statSync } from "node:fs";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import { createFolderObjects } from "../../src/adapters/folder/folder-objects.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";

/** Where an archive is: a folder, `s3://bucket/folder`, or the archive of a deployment. */
export interface ArchiveLocation {
  readonly archive?: string | undefined;
  readonly stage?: string | undefined;
}

/** The archive in a folder or a bucket, which need not exist yet. */
export async function openArchive(name: string): Promise<ObjectStore> {
  if (name.includes("://")) return openInBucket(name);
  if (existsSync(name) && !statSync(name).isDirectory()) {
    throw new CommandFailure(2, `${name} is a file. Name the folder of the archive.`);
  }
  return createFolderObjects(name);
}

/** An archive to read: a mistyped name must not look like an empty archive. */
export async function openExistingArchive(location: ArchiveLocation): Promise<ObjectStore> {
  const name = location.archive ?? (await archiveOfStage(location.stage));
  const missing = `There is no archive ${name}. Write one with "outlive archive export ${name}".`;
  if (!name.includes("://") && !existsSync(name)) throw new CommandFailure(2, missing);
  const store = await openArchive(name);
  if (name.includes("://")) await requireObjects(store, missing);
  return store;
}

async function requireObjects(store: ObjectStore, missing: string): Promise<void> {
  for await (const _ of store.list("")) return;
  throw new CommandFailure(2, missing);
}

async function archiveOfStage(stage: string | undefined): Promise<string> {
  if (stage === undefined) throw new CommandFailure(2, "Name an archive, or a deployment with --stage.");
  const { readDeployment } = await import("../deployment/deployment.ts");
  return `s3://${(await readDeployment(stage)).output("ArchiveBucket")}/${ARCHIVE_FOLDER}`;
}

async function openInBucket(name: string): Promise<ObjectStore> {
  const [{ openBucket }, { createS3Objects }] = await Promise.all([
    import("./open-bucket.ts"),
    import("../../src/adapters/s3/s3-objects.ts"),
  ]);
  const { client, ...folder } = await openBucket(name);
  return createS3Objects(client, folder);
}
