import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { LayerEntry } from "./pack-layer.ts";
import { NODE } from "./node-layer.ts";

/** What the image starts, with the arguments of the container. */
export const PROGRAM = "usr/local/bin/outlive";
const INSTALLED = "opt/outlive";
/** The construct, documentation, charts and alerts of the npm package, which no process in the image reads. */
const LEFT_OUT = /^(cdk|docs|deploy|test)\/|\.md$|\.d\.ts$/;

/** The npm package, and the program `outlive`. */
export async function packageLayer(folder: string): Promise<readonly LayerEntry[]> {
  const listed = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = listed
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !LEFT_OUT.test(path));
  const files = paths.map(async (path): Promise<LayerEntry> => {
    return { type: "file", path: `${INSTALLED}/${path}`, bytes: await readFile(join(folder, path)) };
  });
  return [...(await Promise.all(files)), program()];
}

/** The image has no `env`, which the first line of `cli/outlive.js` needs. */
function program(): LayerEntry {
  const bytes = Buffer.from(`#!/${NODE}\nimport("/${INSTALLED}/cli/outlive.js");\n`);
  return { type: "file", path: PROGRAM, bytes, executable: true };
}
