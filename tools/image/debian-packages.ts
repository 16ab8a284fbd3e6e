import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type TarHeader, unpackTar } from "modern-tar";
import { ImageBuildError } from "./image-build-error.ts";
import { pinnedBytes } from "./pinned-file.ts";
import type { Platform } from "./platforms.ts";

/** A Debian package that is pinned by version and checksum. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Below the address of a mirror: the archive (`debian` or `debian-security`), then the path in it. */
  readonly path: string;
  readonly sha256: string;
}

/** The committed `debian-packages.json`. `npm run renew:image` writes it. */
export interface PackageLock {
  readonly release: string;
  /** As snapshot.debian.org writes times: the archive at this time has these versions. */
  readonly renewedAt: string;
  readonly packages: Readonly<Record<Platform["architecture"], readonly LockedPackage[]>>;
}

/** Where packages come from. Mirrors drop a version when a newer one is published; the snapshots keep all. */
export interface DebianSource {
  readonly mirror: string;
  readonly snapshots: string;
  /** The folder of downloaded files. */
  readonly cache: string;
}

export const LOCK_FILE = join(import.meta.dirname, "debian-packages.json");
/** No member of a package of the image is larger than this. */
const MOST_BYTES = 256 * 1024 ** 2;

export async function readPackageLock(file = LOCK_FILE): Promise<PackageLock> {
  return JSON.parse(await readFile(file, "utf8")) as PackageLock;
}

/** A package as the image needs it: the fields of its control file, and its files. */
export interface DebianPackage {
  readonly name: string;
  readonly control: Uint8Array;
  readonly files: readonly { readonly header: TarHeader; readonly data?: Uint8Array }[];
}

export async function debianPackage(
  locked: LockedPackage,
  { renewedAt }: PackageLock,
  { mirror, snapshots, cache }: DebianSource,
): Promise<DebianPackage> {
  const [archive = "", ...inArchive] = locked.path.split("/").map(encodeURIComponent);
  const addresses = [
    [mirror, archive, ...inArchive].join("/"),
    [snapshots, "archive", archive, renewedAt, ...inArchive].join("/"),
  ];
  const name = locked.path.split("/").at(-1) ?? locked.name;
  const integrity = `sha256-${Buffer.from(locked.sha256, "hex").toString("base64")}`;
  await pinnedBytes({ name, integrity }, { cache, download: (path) => downloadFirst(addresses, path) });
  const file = join(cache, name);
  const tar = await dpkgDeb("--fsys-tarfile", file);
  return { name: locked.name, control: await dpkgDeb("--field", file), files: await unpackTar(tar) };
}

/** Downloads from the first address that has the file. */
async function downloadFirst(addresses: readonly string[], path: string): Promise<void> {
  const reasons: string[] = [];
  for (const address of addresses) {
    const { bytes, reason } = await fetched(address);
    if (bytes !== undefined) return writeFile(path, bytes);
    reasons.push(`${address}: ${reason}`);
  }
  throw new ImageBuildError(
    `Cannot download a Debian package. ${reasons.join("; ")}. Set OUTLIVE_DEBIAN_MIRROR to the address of a mirror, ` +
      `or run "npm run renew:image" if the mirror has newer versions.`,
  );
}

async function fetched(address: string): Promise<{ readonly bytes?: Uint8Array; readonly reason?: string }> {
  try {
    const response = await fetch(address);
    return response.ok ? { bytes: await response.bytes() } : { reason: `status ${response.status}` };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { reason: error.cause instanceof Error ? error.cause.message : error.message };
  }
}

async function dpkgDeb(...args: readonly string[]): Promise<Uint8Array> {
  try {
    const { stdout } = await promisify(execFile)("dpkg-deb", args, { encoding: "buffer", maxBuffer: MOST_BYTES });
    return stdout;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new ImageBuildError(`Cannot read ${args.join(" ")}: ${message}`, { cause });
    throw new ImageBuildError("Cannot read Debian packages: dpkg-deb was not found. Install the package dpkg.", {
      cause,
    });
  }
}
