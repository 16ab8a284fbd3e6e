import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync, type Metafile } from "esbuild";
import type { FunctionName } from "../../src/ports/deployment/settings/function-settings.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The module that Lambda imports. */
const ENTRY = "index";
/** Some packages in the bundle are CommonJS and call `require` for Node's own modules. */
export const REQUIRE =
  'import{createRequire as createRequireHere}from"node:module";const require=createRequireHere(import.meta.url);';

/**
 * Bundles a function into a folder: `index.mjs`, which Lambda imports, and one module for each part that the code
 * imports on demand.
 */
export function bundleFunction(name: FunctionName, to: string): Metafile {
  const { metafile } = buildSync({
    entryPoints: [{ in: join(ROOT, "functions", `${name}.ts`), out: ENTRY }],
    outdir: to,
    outExtension: { ".js": ".mjs" },
    splitting: true,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    // The bundle has its own SDK, because the one of the Lambda runtime changes without notice.
    external: [...neverLoadedBy(name)],
    legalComments: "none",
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

/**
 * Modules that the SDK imports on demand and most functions never need: Lambda provides credentials in the environment,
 * and no request uses an event stream. They would be a quarter of each bundle (measured by bench/lambda-bundles.ts).
 */
const NEVER_LOADED = [
  "@aws-sdk/credential-provider-http",
  "@aws-sdk/credential-provider-ini",
  "@aws-sdk/credential-provider-process",
  "@aws-sdk/credential-provider-sso",
  "@aws-sdk/credential-provider-web-identity",
  "@smithy/credential-provider-imds",
  "@smithy/core/event-streams",
];

/** The client of S3 imports event streams, for SelectObjectContent. */
const LOADED_BY_S3 = "@smithy/core/event-streams";
/** Functions that read or write the archive. */
const WITH_ARCHIVE: ReadonlySet<string> = new Set(["archive", "audit", "query", "refold", "replay"]);

/** The modules that a function's bundle leaves out. */
function neverLoadedBy(name: string): readonly string[] {
  return WITH_ARCHIVE.has(name) ? NEVER_LOADED.filter((each) => each !== LOADED_BY_S3) : NEVER_LOADED;
}
