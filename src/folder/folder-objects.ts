import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObjectKey } from "../ports/object-key.ts";
import type { ByteRange, ObjectEntry, ObjectStore } from "../ports/object-store.ts";

/** Names of files that are still being written. A crash may leave them; they are never listed. */
const UNFINISHED = ".unfinished-";

/** Objects as files in a folder, which is created when the first one is written. */
export function createFolderObjects(folder: string): ObjectStore {
  return {
    name: folder,
    putIfAbsent: async (key, bytes) => writeOnce(pathOf(folder, key), bytes),
    read: async (key, range) => readObject(pathOf(folder, key), range),
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

/** Writes a file beside its name and then links it, which fails if the name is taken. */
async function writeOnce(path: string, bytes: Uint8Array): Promise<"stored" | "exists"> {
  const beside = join(dirname(path), `${UNFINISHED}${randomUUID()}`);
  await mkdir(dirname(path), { recursive: true });
  await writeDurably(beside, bytes);
  try {
    await link(beside, path);
    await syncFolder(dirname(path));
    return "stored";
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return "exists";
    throw cause;
  } finally {
    await unlink(beside);
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
    const bytes = Buffer.alloc(Math.max(0, end - start));
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

/** In order of their keys: a folder's key ends in a slash. */
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
