import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder or a bucket with copies of a database, each named by its time. */
export interface BackupPlace {
  /** Where the copies are, for messages. */
  readonly name: string;
  /** Adds the copy that `write` writes to a file. Returns the name of the copy. */
  readonly add: (now: Date, write: (file: string) => Promise<void>) => Promise<string>;
  /** The names of the copies, the oldest first. Other files are not listed. */
  readonly list: () => Promise<readonly string[]>;
  readonly remove: (name: string) => Promise<void>;
}

/** Whether copies are added to `target`, which is a folder or in S3. */
export function isBackupPlace(target: string): boolean {
  return target.includes("://") || target.endsWith("/") || isFolder(target);
}

export async function openBackupPlace(target: string): Promise<BackupPlace> {
  return target.includes("://") ? openInBucket(target) : openFolder(target.replace(/(?!^)\/+$/, ""));
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

const COPY = /^outlive-\d{8}T\d{6}Z\.sqlite$/;

function nameOf(now: Date): string {
  return `outlive-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.sqlite`;
}

function copiesAmong(names: readonly string[]): readonly string[] {
  return names.filter((name) => COPY.test(name)).sort();
}

function openFolder(folder: string): BackupPlace {
  return {
    name: folder,
    add: async (now, write) => {
      mkdirSync(folder, { recursive: true });
      const name = nameOf(now);
      await write(join(folder, name));
      return name;
    },
    list: async () => copiesAmong(readdirSync(folder)),
    remove: async (name) => rmSync(join(folder, name)),
  };
}

/** A copy is checked in a temporary file before it is sent. */
async function openInBucket(target: string): Promise<BackupPlace> {
  const [{ openBucket }, { createS3Objects }, { uploadFile }] = await Promise.all([
    import("../archive/open-bucket.ts"),
    import("../../src/adapters/s3/s3-objects.ts"),
    import("../../src/adapters/s3/upload-file.ts"),
  ]);
  const folder = await openBucket(target);
  const objects = createS3Objects(folder.client, folder);
  return {
    name: objects.name,
    add: async (now, write) => {
      const name = nameOf(now);
      const scratch = mkdtempSync(join(tmpdir(), "outlive-backup-"));
      try {
        const file = join(scratch, name);
        await write(file);
        await uploadFile(folder, name, file);
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
      return name;
    },
    list: async () => {
      const names: string[] = [];
      for await (const { key } of objects.list("outlive-")) names.push(key);
      return copiesAmong(names);
    },
    remove: (name) => objects.remove(name),
  };
}
