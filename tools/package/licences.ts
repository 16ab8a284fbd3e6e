import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** The folder of a package in the path of one of its files. The innermost one counts. */
const PACKAGE = /^(?<folder>.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

interface Licensed {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** The name, version and licence of each package with code in the bundles, in order of names. */
export async function licencesOf(root: string, bundles: readonly Metafile[]): Promise<string> {
  const folders = new Set(
    bundles
      .flatMap(({ outputs }) => Object.values(outputs))
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => PACKAGE.exec(path)?.groups?.["folder"] ?? []),
  );
  const all = await Promise.all([...folders].map((folder) => licensed(join(root, folder))));
  const sorted = all.toSorted((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
  return `The code of this package contains code of:\n\n${sorted.map(entryOf).join(`\n${"-".repeat(80)}\n\n`)}`;
}

async function licensed(folder: string): Promise<Licensed> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Omit<Licensed, "text">;
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  if (typeof manifest.license !== "string") throw new Error(`${folder}/package.json names no licence.`);
  return { ...manifest, text: texts.join("\n") };
}

/** Packages without a file are under the licence that their package.json names. */
function entryOf({ name, version, license, text }: Licensed): string {
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
