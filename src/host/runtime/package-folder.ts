import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A folder that comes with Outlive: beside the sources in a checkout, beside the bundled code in the package. */
export function packageFolder(name: "deploy/charts" | "examples" | "web/dist"): string {
  return join(dirname(manifestPath()), name);
}

/** The program that people start. */
export function packageFile(name: "cli/outlive.js"): string {
  return join(dirname(manifestPath()), name);
}

/** Whether this is a checkout. The package has a package.json of its own, which is not private. */
export function isCheckout(): boolean {
  const manifest = JSON.parse(readFileSync(manifestPath(), "utf8")) as { readonly private?: boolean };
  return manifest.private === true;
}

function manifestPath(): string {
  const path = findPackageJSON(import.meta.url);
  if (path === undefined) throw new Error("The package.json of Outlive is missing. Install Outlive again.");
  return path;
}
