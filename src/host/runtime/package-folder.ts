import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A folder that comes with Outlive: beside the sources in a checkout, beside the bundled code in the package. */
export function packageFolder(name: "deploy/charts" | "examples" | "web/dist"): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error("The package.json of Outlive is missing. Install Outlive again.");
  return join(dirname(manifest), name);
}
