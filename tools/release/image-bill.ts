import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../../lib/bundling/bundle-function.ts";
import { readPackageLock } from "../image/debian-packages.ts";
import { PLATFORMS } from "../image/platforms.ts";
import {
  billOfMaterials,
  type Component,
  componentOf,
  libraryOf,
  type Material,
} from "../package/bill-of-materials.ts";

interface PackageBill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

interface NodeLock {
  readonly packages: Readonly<Record<string, Record<"version" | "license" | "integrity", string>>>;
}

/**
 * The bill of materials of the image, for all platforms: the package with what is in it, Node, and the Debian packages
 * of which the image has files. `packageBill` is the package's own.
 */
export async function imageBill(version: string, packageBill: string): Promise<string> {
  const { metadata, components } = JSON.parse(packageBill) as PackageBill;
  const subject: Material = { type: "container", name: "outlive", version, purl: `pkg:oci/outlive?tag=${version}` };
  const more = [...(await nodeMaterials()), ...(await debianMaterials())].map(componentOf);
  return billOfMaterials(subject, [metadata.component, ...components, ...more]);
}

async function nodeMaterials(): Promise<readonly Material[]> {
  const { packages } = JSON.parse(await readFile(join(ROOT, "tools/node/package-lock.json"), "utf8")) as NodeLock;
  return PLATFORMS.flatMap(({ nodePackage: name }) => {
    const locked = packages[`node_modules/${name}`];
    return locked === undefined ? [] : libraryOf({ name, ...locked });
  });
}

async function debianMaterials(): Promise<readonly Material[]> {
  const { packages, release } = await readPackageLock();
  const all = PLATFORMS.flatMap(({ architecture }) => packages[architecture]);
  // Packages of data are the same for each platform: their architecture is `all`.
  const byPath = new Map(all.map((locked) => [locked.path, locked]));
  return [...byPath.values()].map(({ name, version, path, sha256 }): Material => {
    const [, architecture = ""] = /_([^_]+)\.deb$/.exec(path) ?? [];
    const place = `arch=${architecture}&distro=debian-${release}`;
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${place}`;
    return { type: "library", name, version, purl, hash: { alg: "SHA-256", hex: sha256 } };
  });
}
