import { join } from "node:path";
import { build, type BuildOptions, type Metafile } from "esbuild";
import { REQUIRE } from "../../lib/bundling/bundle-function.ts";

export const COMMON = {
  bundle: true,
  format: "esm",
  target: "node24",
  // Names stay as they are, so that a stack in a report can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  // THIRD_PARTY_LICENSES.txt has them.
  legalComments: "none",
  metafile: true,
  logLevel: "error",
} as const satisfies BuildOptions;

/** The command line, the exports of the package, and one module for each part that is loaded on demand. */
export async function bundleProgram(root: string, to: string): Promise<Metafile> {
  const { metafile } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: [
      { in: join(root, "cli/main.ts"), out: "cli/main" },
      { in: join(root, "src/index.ts"), out: "outlive" },
    ],
    outdir: to,
    chunkNames: "parts/[name]-[hash]",
    splitting: true,
    platform: "node",
    mainFields: ["module", "main"],
    banner: { js: REQUIRE },
  });
  refuseNamelessImports(metafile);
  return metafile;
}

/** A CommonJS package that a source imports on demand has only a default export in the bundle, and no error says so. */
function refuseNamelessImports({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    const nameless = imports.find(({ kind, path: to }) => kind === "dynamic-import" && inputs[to]?.format === "cjs");
    if (nameless === undefined || path.includes("node_modules/")) continue;
    throw new Error(`${path} imports ${nameless.path} on demand. Import a module that re-exports its names instead.`);
  }
}

/** The client of the HTTP API, for Node and browsers. */
export async function bundleClient(root: string, to: string): Promise<Metafile> {
  const { metafile } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: [join(root, "client/outlive-client.js")],
    outdir: to,
    platform: "neutral",
    mainFields: ["module", "main"],
  });
  return metafile;
}
