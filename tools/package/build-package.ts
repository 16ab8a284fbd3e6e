import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../../lib/bundling/bundle-function.ts";
import { buildPage } from "../../web/build-page.ts";
import { bundleClient, bundleProgram } from "./bundle-code.ts";
import { applicationOf, billOfMaterials, componentOf, libraryOf } from "./bill-of-materials.ts";
import { bundleConstruct, bundleFunctions } from "./bundle-construct.ts";
import { copyTypes } from "./copy-types.ts";
import { linkedFiles } from "./linked-files.ts";
import { licencesOf } from "./licences.ts";
import { writeDeclarations } from "./write-declarations.ts";
import { packageManifest } from "./package-manifest.ts";
import { shippedPackages } from "./shipped-packages.ts";

/** What is copied as it is. The launchers are plain JavaScript. */
const COPIED = [
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "cli/outlive.js",
  "cli/kubectl-outlive.js",
  "client/openapi.json",
  "examples",
  "deploy",
];

/** Writes the npm package: code that needs no other package, with licences and hashes of what it contains. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as Checkout;
  await writeFile(join(folder, "package.json"), `${JSON.stringify(packageManifest(manifest), null, 2)}\n`);
  for (const path of [...COPIED, ...(await linkedFiles(ROOT, "README.md"))]) await copy(path, folder);
  const bundles = [
    await bundleProgram(ROOT, folder),
    await bundleClient(ROOT, join(folder, "client")),
    await buildPage(join(folder, "web/dist")),
    await bundleConstruct(ROOT, folder),
    ...(await bundleFunctions(folder)),
  ];
  const copied = await copyTypes(ROOT, join(folder, "client"));
  await writeDeclarations(ROOT, "lib/index.ts", join(folder, "cdk/types"));
  const packages = await shippedPackages(ROOT, { bundles, copied });
  await writeFile(join(folder, "THIRD_PARTY_LICENSES.txt"), licencesOf(packages));
  const bill = billOfMaterials(applicationOf(manifest), packages.map(libraryOf).map(componentOf));
  await writeFile(join(folder, "sbom.cdx.json"), bill);
}

type Checkout = Parameters<typeof applicationOf>[0];

async function copy(path: string, folder: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  // npm packs no links.
  await cp(join(ROOT, path), join(folder, path), { recursive: true, dereference: true });
}
