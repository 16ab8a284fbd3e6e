import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly brotli: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  /** The file name contains a hash of the content, so caches may keep the file forever. */
  readonly immutable: boolean;
}

/** The built page by path: some hundred kilobytes, kept in memory. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Reads the output of `npm run build:web`. Returns no files if the page was not built. */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const entries = await filesIn(folder);
  return new Map(await Promise.all(entries.map(async (path) => [path, await readPageFile(folder, path)] as const)));
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && extname(entry.name) in MEDIA_TYPES).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

async function readPageFile(folder: string, path: string): Promise<PageFile> {
  const bytes = new Uint8Array(await readFile(join(folder, path)));
  let packed: Uint8Array<ArrayBuffer> | undefined;
  return {
    bytes,
    // Compressing all files takes half a second of CPU. A Lambda function that starts for one file must not wait for
    // it.
    get brotli() {
      packed ??= new Uint8Array(brotliCompressSync(bytes));
      return packed;
    },
    mediaType: MEDIA_TYPES[extname(path)] ?? "application/octet-stream",
    immutable: /-[A-Z0-9]{8}\.\w+$/.test(path),
  };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};
