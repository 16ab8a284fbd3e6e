import { fileURLToPath } from "node:url";
import { buildPackage } from "./package/build-package.ts";

// Writes the npm package as a folder: `npm publish ./dist/package` publishes it, `npm pack ./dist/package` packs it.
const folder = fileURLToPath(new URL("../dist/package/", import.meta.url));
await buildPackage(folder);
process.stdout.write(`Wrote ${folder}\n`);
