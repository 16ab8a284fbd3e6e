import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as zlib from "node:zlib";

/** The content of files by their paths: `query/index.mjs`. */
type Files = Readonly<Record<string, string>>;

/**
 * Larger than all functions together. They have much code in common, and each is bundled as a whole, because a function
 * of many small modules would start later. So they are compressed as one: 1 MB of 9.
 */
const WINDOW_LOG = 24;
/** Level 15 saves 4 %, and takes eight times as long. */
const LEVEL = 9;

const PACKED = "functions.json.zst";

/** Writes all functions as one file of a folder. */
export function packFunctions(files: Files, folder: string): void {
  const params = {
    [zlib.constants.ZSTD_c_compressionLevel]: LEVEL,
    [zlib.constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [zlib.constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  writeFileSync(join(folder, PACKED), zlib.zstdCompressSync(JSON.stringify(files), { params }));
}

const read = new Map<string, Files>();

/** Writes one of the functions in the file of `folder` to another folder. The file is read once. */
export function unpackFunction(folder: string, name: string, to: string): void {
  const files = read.get(folder) ?? filesIn(folder);
  read.set(folder, files);
  for (const [path, content] of Object.entries(files)) {
    if (!path.startsWith(`${name}/`)) continue;
    const target = join(to, path.slice(name.length + 1));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

function filesIn(folder: string): Files {
  const params = { [zlib.constants.ZSTD_d_windowLogMax]: WINDOW_LOG };
  const text = zlib.zstdDecompressSync(readFileSync(join(folder, PACKED)), { params }).toString();
  return JSON.parse(text) as Files;
}
