import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));

/** Bundles the page into `folder`: hashed scripts and one style sheet, and an index.html that names them by relative URLs, so that it may live below any path. */
export async function buildPage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({ ...OPTIONS, outdir: folder });
  const outputs = Object.entries(metafile.outputs);
  const built = (entry: string): string =>
    basename(outputs.find(([, { entryPoint = "" }]) => entryPoint.endsWith(entry))?.[0] ?? entry);
  const template = await readFile(join(SOURCES, "page.html"), "utf8");
  const page = template.replace("main.tsx", built("main.tsx")).replace("page.css", built("page.css"));
  await writeFile(join(folder, "index.html"), page);
  await copyFile(join(SOURCES, "icon.svg"), join(folder, "icon.svg"));
}

const OPTIONS = {
  absWorkingDir: SOURCES,
  entryPoints: ["main.tsx", "styles/page.css"],
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2023"],
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
  jsx: "automatic",
  jsxImportSource: "preact",
} as const satisfies BuildOptions;
