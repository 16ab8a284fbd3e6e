import * as module from "node:module";
import { dirname, join } from "node:path";
import type { FunctionName } from "../../src/ports/deployment/settings/function-settings.ts";
import { type BesideBundle, writeBeside } from "./beside-bundle.ts";
import { unpackFunction } from "./packed-functions.ts";

/** An older Node has not all that is imported from it, and would say only that. */
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`outlive/cdk needs Node 24 or newer, and this is ${process.version}. Install it from nodejs.org.`);
}

const ROOT = dirname(module.findPackageJSON(import.meta.url) ?? "");

/** The functions that were bundled when the package was packed: users need no bundler. */
export const FUNCTIONS_FOLDER = join(ROOT, "cdk");

/** Copies a function of the package into a folder, with what is beside its code. */
export function writeFunction(name: FunctionName, to: string, beside: BesideBundle): void {
  unpackFunction(FUNCTIONS_FOLDER, name, to);
  writeBeside(ROOT, to, beside);
}
