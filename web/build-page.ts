import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile } from "esbuild";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));

/** Bundles the page into `folder`: hashed scripts and one style sheet, and an index.html that names them by relative URLs, so that it may live below any path. */
export async function buildPage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({ ...OPTIONS, outdir: folder });
  const ahead = outputOf(metafile, "ahead.ts");
  const script = outputOf(metafile, "main.tsx");
  const template = await readFile(join(SOURCES, "page.html"), "utf8");
  const page = template
    .replace("ahead.ts", basename(ahead))
    .replace("main.tsx", basename(script))
    .replace("page.css", basename(outputOf(metafile, "page.css")))
    .replace(
      "<!-- modules -->",
      preloads(metafile, [ahead, script, outputOf(metafile, "job-view.tsx")]).join("\n    "),
    );
  await writeFile(join(folder, "index.html"), page);
  await copyFile(join(SOURCES, "icon.svg"), join(folder, "icon.svg"));
}

function outputOf({ outputs }: Metafile, entry: string): string {
  const [path = entry] = Object.entries(outputs).find(([, { entryPoint = "" }]) => entryPoint.endsWith(entry)) ?? [];
  return path;
}

/** The chunks that these scripts cannot begin without: named in the page, they are loaded with it and not one wait later. */
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
  entryPoints: ["ahead.ts", "main.tsx", "styles/page.css"],
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
