import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObjectKey } from "../../ports/object-key.ts";
import type { ByteRange, ObjectEntry, ObjectStore } from "../../ports/object-store.ts";

/** Names of files that are still being written. A crash may leave them; they are never listed. */
const UNFINISHED = ".unfinished-";

/** Objects as files in a folder, which is created when the first one is written. */
export function createFolderObjects(folder: string): ObjectStore {
  return {
    name: folder,
    putIfAbsent: async (key, bytes) =>
      naming(`write object ${key} to ${folder}`, writeOnce(pathOf(folder, key), bytes)),
    read: async (key, range) => naming(`read object ${key} of ${folder}`, readObject(pathOf(folder, key), range)),
    list: (prefix) => listFiles(folder, prefix),
    remove: async (key) => rm(pathOf(folder, key), { force: true }),
  };
}

/** Throws InvalidObjectKeyError: a file outside of the folder is never read, written or deleted. */
function pathOf(folder: string, key: string): string {
  if (!isObjectKey(key)) throw new InvalidObjectKeyError(folder, key);
  return join(folder, key);
}

/** A key that is no relative path below the folder. */
export class InvalidObjectKeyError extends Error {
  override readonly name = "InvalidObjectKeyError";

  constructor(folder: string, key: string) {
    super(`${JSON.stringify(key)} is not the key of an object in ${folder}.`);
  }
}

/** The file of an object could not be read or written. The message names the object, and says what to do. */
export class ObjectFileError extends Error {
  override readonly name = "ObjectFileError";
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full (ENOSPC). Free space, then repeat the command: what it has written is kept",
  EDQUOT: "the disk quota is used up (EDQUOT). Raise it or delete files, then repeat the command",
  EACCES: "access denied (EACCES). Change the permissions of the folder, or run the command as its owner",
  EROFS: "the file system is read-only (EROFS). Choose another folder, or mount it for writing",
  ERR_FS_FILE_TOO_LARGE: "the file has more than 2 GiB, and no object is so large. Restore it from a copy",
};

/** Throws {@link ObjectFileError}, because the errors of files have a code and no advice. */
async function naming<Result>(action: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new ObjectFileError(`Cannot ${action}: ${ADVICE[String(cause.code)] ?? cause.message}.`, { cause });
  }
}

/** Writes a file beside its name and then links it, which fails if the name is taken. */
async function writeOnce(path: string, bytes: Uint8Array): Promise<"stored" | "exists"> {
  const beside = join(dirname(path), `${UNFINISHED}${randomUUID()}`);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeDurably(beside, bytes);
    await link(beside, path);
    await syncFolder(dirname(path));
    return "stored";
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return "exists";
    throw cause;
  } finally {
    await rm(beside, { force: true });
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o640);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readObject(path: string, range: ByteRange | undefined): Promise<Uint8Array | undefined> {
  try {
    return range === undefined ? await readFile(path) : await readPart(path, range);
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined;
    throw cause;
  }
}

async function readPart(path: string, { start, end }: ByteRange): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* listFiles(folder: string, prefix: string): AsyncGenerator<ObjectEntry> {
  for (const entry of await entriesOf(join(folder, prefix))) {
    const key = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(folder, `${key}/`);
    else if (!entry.name.startsWith(UNFINISHED)) yield { key, bytes: (await stat(join(folder, key))).size };
  }
}

/** In the order of their keys. A folder sorts with a slash at the end of its name, because the keys in it have one. */
async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const keyed = entries.map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }));
    return keyed.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))).map(({ entry }) => entry);
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return [];
    throw cause;
  }
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}
