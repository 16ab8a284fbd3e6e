import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { bundleFunction, REQUIRE } from "../../lib/bundling/bundle-function.ts";
import { packFunctions } from "../../lib/bundling/packed-functions.ts";
import { FUNCTION_SETTINGS, type FunctionName } from "../../src/ports/deployment/settings/function-settings.ts";
import { COMMON } from "./bundle-code.ts";

/** What an app of the CDK has already. Two copies of it would not be one construct tree. */
const OF_THE_APP = ["aws-cdk-lib", "aws-cdk-lib/*", "constructs"];

/** The construct, whose functions are those of the package. */
export async function bundleConstruct(root: string, to: string): Promise<Metafile> {
  const { metafile } = await build({
    ...COMMON,
    // Node prints the line of an error: the whole construct would be a line.
    minifyWhitespace: false,
    absWorkingDir: root,
    entryPoints: [{ in: join(root, "lib/index.ts"), out: "index" }],
    outdir: join(to, "cdk"),
    platform: "node",
    mainFields: ["module", "main"],
    external: OF_THE_APP,
    banner: { js: REQUIRE },
    plugins: [packedCode(root)],
  });
  return metafile;
}

/** Replaces what bundles functions, because users have no bundler and no sources. */
function packedCode(root: string): Plugin {
  return {
    name: "packed-code",
    setup: (building) => {
      building.onResolve({ filter: /\/function-code\.ts$/ }, () => ({
        path: join(root, "lib/bundling/packed-code.ts"),
      }));
    },
  };
}

/** Bundles the functions, and packs them for the construct. */
export async function bundleFunctions(to: string): Promise<readonly Metafile[]> {
  const folder = await mkdtemp(join(tmpdir(), "outlive-functions-"));
  try {
    const bundled = functionNames().map((name) => bundleFunction(name, join(folder, name)));
    packFunctions(await filesBelow(folder), join(to, "cdk"));
    return bundled;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function filesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(
    paths.toSorted().map(async (path) => [relative(folder, path), await readFile(path, "utf8")] as const),
  );
  return Object.fromEntries(files);
}

function functionNames(): readonly FunctionName[] {
  return Object.keys(FUNCTION_SETTINGS) as FunctionName[];
}
