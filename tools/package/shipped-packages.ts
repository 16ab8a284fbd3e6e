import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** The folder of a package in the path of one of its files. The innermost one counts. */
const PACKAGE = /^(?:\.\.\/)*(?<folder>(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** A package of which the published one contains code or declarations. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** The texts of its licence files. Packages without one are under the licence that their package.json names. */
  readonly licenceText: string;
  /** The hash of its tarball, from the lock file. */
  readonly integrity: string;
}

/** What was copied or bundled from `node_modules`. */
export interface Shipped {
  readonly bundles: readonly Metafile[];
  /** Names of packages of which files were copied. */
  readonly copied: readonly string[];
}

/** The packages of which something is shipped, in order of names. */
export async function shippedPackages(root: string, shipped: Shipped): Promise<readonly ShippedPackage[]> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as Lock;
  const all = await Promise.all(foldersOf(shipped).map((folder) => readPackage({ root, folder, lock })));
  const byId = new Map(all.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byId].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function foldersOf({ bundles, copied }: Shipped): readonly string[] {
  const bundled = bundles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => PACKAGE.exec(path)?.groups?.["folder"] ?? []);
  return [...new Set([...bundled, ...copied.map((name) => `node_modules/${name}`)])];
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
}

interface Installed {
  readonly root: string;
  /** Its key in the lock file: the path of its folder. */
  readonly folder: string;
  readonly lock: Lock;
}

async function readPackage({ root, folder, lock }: Installed): Promise<ShippedPackage> {
  const manifest = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")) as Partial<ShippedPackage>;
  const { name, version, license } = manifest;
  const { version: locked, integrity } = lock.packages[folder] ?? {};
  if (name === undefined || version === undefined || typeof license !== "string") {
    throw new Error(`${folder}/package.json names no licence.`);
  }
  if (integrity === undefined || locked !== version) {
    throw new Error(`package-lock.json has no hash of ${name} ${version} at ${folder}. Run "npm ci".`);
  }
  const files = (await readdir(join(root, folder))).filter((file) => LICENCE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(root, folder, file), "utf8")));
  return { name, version, license, integrity, licenceText: texts.join("\n").trim() };
}
