import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ImageBuildError } from "./image-build-error.ts";

/** A file whose bytes are known before it is downloaded. */
export interface PinnedFile {
  readonly name: string;
  /** As in npm's lock files: the algorithm, a hyphen, and the hash in base64. */
  readonly integrity: string;
}

/** The bytes of a pinned file, from the cache folder if it is there. `download` writes the file to the given path. */
export async function pinnedBytes(
  { name, integrity }: PinnedFile,
  { cache, download }: { readonly cache: string; readonly download: (path: string) => Promise<void> },
): Promise<Uint8Array> {
  const path = join(cache, name);
  const present = await readFile(path).catch(() => undefined);
  if (present !== undefined && integrityOf(present, integrity) === integrity) return present;
  await mkdir(cache, { recursive: true });
  // Another build may read the cache at the same time.
  const partial = `${path}.${randomUUID()}`;
  try {
    await download(partial);
    const bytes = await readFile(partial);
    if (integrityOf(bytes, integrity) !== integrity) {
      throw new ImageBuildError(
        `The checksum of ${name} differs from the one in the lock file, so it was not used. Try another mirror.`,
      );
    }
    await rename(partial, path);
    return bytes;
  } finally {
    await rm(partial, { force: true });
  }
}

/** The hash of these bytes, by the algorithm of an expected one. */
function integrityOf(bytes: Uint8Array, expected: string): string {
  const [algorithm = ""] = expected.split("-");
  return `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;
}
