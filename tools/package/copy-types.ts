import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Bundled packages whose declarations are copied beside the client, and where these are in node_modules. */
const DECLARED = {
  "openapi-fetch": "openapi-fetch/dist/index.d.mts",
  "openapi-typescript-helpers": "openapi-typescript-helpers/dist/index.d.mts",
} as const;

const OWN = ["outlive.d.ts", "outlive-client.d.ts", "openapi.d.ts"];

/**
 * Copies declarations, with those that they import, because the package depends on no other one. Returns the packages
 * that these are from.
 */
export async function copyTypes(root: string, to: string): Promise<readonly string[]> {
  for (const name of OWN) {
    const text = await readFile(join(root, "client", name), "utf8");
    await writeFile(join(to, name), withLocalImports(text));
  }
  for (const [name, path] of Object.entries(DECLARED)) {
    const text = await readFile(join(root, "node_modules", path), "utf8");
    await writeFile(join(to, `${name}.d.ts`), withLocalImports(text));
  }
  return Object.keys(DECLARED);
}

function withLocalImports(text: string): string {
  return text.replace(/(?<=from ?['"])[^'"./][^'"]*(?=['"])/g, (name) => (name in DECLARED ? `./${name}.js` : name));
}
