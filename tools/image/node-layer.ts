import { execFile } from "node:child_process";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { ROOT } from "../../lib/bundling/bundle-function.ts";
import { ImageBuildError } from "./image-build-error.ts";
import type { LayerEntry } from "./pack-layer.ts";
import { pinnedBytes } from "./pinned-file.ts";
import type { Platform } from "./platforms.ts";

/** Where the image has the binary of Node. */
export const NODE = "usr/local/bin/node";
const LOCK_FILE = join(ROOT, "tools/node/package-lock.json");

/** Node and its licences, from the npm package that tools/node pins. */
export async function nodeLayer({ nodePackage }: Platform, cache: string): Promise<readonly LayerEntry[]> {
  const { version, integrity } = await lockedNode(nodePackage);
  const file = { name: `${nodePackage}-${version}.tgz`, integrity };
  const download = (path: string) => packFromRegistry(`${nodePackage}@${version}`, cache, path);
  const tar = gunzipSync(await pinnedBytes(file, { cache, download }));
  const taken = new Map([
    ["package/bin/node", NODE],
    ["package/LICENSE", "usr/share/doc/node/LICENSE"],
  ]);
  const files = await unpackTar(tar, { filter: ({ name }) => taken.has(name) });
  return files.map(({ header: { name }, data = new Uint8Array() }) => {
    const path = taken.get(name) ?? name;
    return { type: "file", path, bytes: data, executable: path === NODE };
  });
}

async function lockedNode(name: Platform["nodePackage"]) {
  const { packages } = JSON.parse(await readFile(LOCK_FILE, "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
  };
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new ImageBuildError(`tools/node/package-lock.json has no ${name}.`);
  return locked;
}

/** Downloads with npm, which knows the registry of this machine and its credentials. */
async function packFromRegistry(specifier: string, cache: string, path: string): Promise<void> {
  const folder = await mkdtemp(join(cache, "npm-"));
  try {
    const args = ["pack", specifier, "--json", "--loglevel=error", `--pack-destination=${folder}`];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: folder });
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    await rename(join(folder, filename), path);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new ImageBuildError(`Cannot download ${specifier} from the npm registry: ${cause.message}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
