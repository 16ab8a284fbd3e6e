import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { neverLoadedBy } from "../../lib/never-loaded.ts";
import { ENVIRONMENT } from "../runtime/environment.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-bundles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VARIABLES = {
  ...ENVIRONMENT,
  AWS_REGION: "eu-central-1",
};

/** Imports the bundle of a function where no package is installed, as in Lambda. */
async function importBundle(name: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../../functions/${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    external: [...neverLoadedBy(name)],
    banner: { js: 'import{createRequire as r}from"node:module";const require=r(import.meta.url);' },
    logLevel: "error",
  });
  const script = `const { handler } = await import(${JSON.stringify(outfile)}); console.log(typeof handler);`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: VARIABLES,
    encoding: "utf8",
  });
  return run.status === 0 ? run.stdout.trim() : run.stderr;
}

describe("the bundle of a function", () => {
  it.each(["archive", "ingest"])("of %s has every module that it imports", async (name) => {
    expect(await importBundle(name)).toBe("function");
  });
});
