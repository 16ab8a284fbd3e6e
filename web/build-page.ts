import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile } from "esbuild";

/** Files with a name that does not change. `llms.txt` describes the server for agents (llmstxt.org). */
const COPIED = ["icon.svg", "icon-alert.svg", "llms.txt"];
const SOURCES = fileURLToPath(new URL(".", import.meta.url));

/**
 * Bundles the page into `folder`: hashed scripts, one style sheet, and an index.html. Its URLs are relative, so the
 * page works below any path. Returns what esbuild reports about its files.
 */
export async function buildPage(folder: string): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({ ...OPTIONS, outdir: folder });
  const preload = outputOf(metafile, "preload.ts");
  const script = outputOf(metafile, "main.tsx");
  const template = await readFile(join(SOURCES, "page.html"), "utf8");
  const page = template
    .replace("preload.ts", basename(preload))
    .replace("main.tsx", basename(script))
    .replace("page.css", basename(outputOf(metafile, "page.css")))
    .replace(
      "<!-- modules -->",
      preloads(metafile, [preload, script, outputOf(metafile, "job-view.tsx")]).join("\n    "),
    );
  await writeFile(join(folder, "index.html"), page);
  for (const file of COPIED) await copyFile(join(SOURCES, file), join(folder, file));
  return metafile;
}

function outputOf({ outputs }: Metafile, entry: string): string {
  const [path = entry] = Object.entries(outputs).find(([, { entryPoint = "" }]) => entryPoint.endsWith(entry)) ?? [];
  return path;
}

/** Links to the chunks that these scripts import statically, so that the browser loads them together with the page. */
function preloads({ outputs }: Metafile, scripts: readonly string[]): readonly string[] {
  const needed = new Set(scripts);
  for (const path of needed) {
    const imports = outputs[path]?.imports ?? [];
    for (const { path: other, kind } of imports) if (kind === "import-statement") needed.add(other);
  }
  return [...needed].slice(scripts.length).map((path) => `<link rel="modulepreload" href="${basename(path)}">`);
}

const OPTIONS = {
  absWorkingDir: SOURCES,
  entryPoints: ["preload.ts", "main.tsx", "styles/page.css"],
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
