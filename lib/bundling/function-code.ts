import { join } from "node:path";
import type { FunctionName } from "../../src/ports/deployment/settings/function-settings.ts";
import { type BesideBundle, writeBeside } from "./beside-bundle.ts";
import { bundleFunction, ROOT } from "./bundle-function.ts";

/** What the code of the functions is made of. In the package, packed-code.ts takes the place of this module. */
export const FUNCTIONS_FOLDER = join(ROOT, "functions");

/** Bundles a function of this checkout into a folder, with what is beside its code. */
export function writeFunction(name: FunctionName, to: string, beside: BesideBundle): void {
  bundleFunction(name, to);
  writeBeside(ROOT, to, beside);
}
