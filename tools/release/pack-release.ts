import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fillIn } from "./fill-in.ts";
import { imageBill } from "./image-bill.ts";

export interface Release {
  /** The package as "npm run build:package" wrote it. */
  readonly packageFolder: string;
  /** The folder for the files of the release. What it has is deleted. */
  readonly to: string;
  /** The address of the repository that builds the release, without `.git`. npm compares it with the provenance. */
  readonly repository: string;
}

/** The manifest of Krew, in the package. */
const KREW = "deploy/krew/outlive.yaml";

/**
 * Writes what a release publishes beside image and charts: the package as a tarball, bills of materials of the package
 * and of the image, and the manifest for Krew. The same package gives the same bytes. Returns the path of the tarball.
 */
export async function packRelease({ packageFolder, to, repository }: Release): Promise<string> {
  const { version } = await nameRepository(join(packageFolder, "package.json"), repository);
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", to, packageFolder], { stdio: "pipe" });
  const tarball = join(to, `outlive-${version}.tgz`);
  const sha256 = createHash("sha256")
    .update(await readFile(tarball))
    .digest("hex");
  const template = await readFile(join(packageFolder, KREW), "utf8");
  await writeFile(join(to, "outlive.yaml"), fillIn(template, { version, repository, sha256 }));
  const bill = await readFile(join(packageFolder, "sbom.cdx.json"), "utf8");
  await writeFile(join(to, `outlive-${version}.cdx.json`), bill);
  await writeFile(join(to, `outlive-${version}-image.cdx.json`), await imageBill(version, bill));
  return tarball;
}

async function nameRepository(path: string, repository: string): Promise<{ readonly version: string }> {
  const manifest = JSON.parse(await readFile(path, "utf8")) as { readonly version: string };
  const named = { ...manifest, repository: { type: "git", url: `git+${repository}.git` } };
  await writeFile(path, `${JSON.stringify(named, null, 2)}\n`);
  return manifest;
}
