import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import type { Metafile } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { writeFunction } from "../../../lib/bundling/function-code.ts";
import { bundleFunction } from "../../../lib/bundling/bundle-function.ts";
import type { FunctionName } from "../../../src/ports/deployment/settings/function-settings.ts";
import { ENVIRONMENT } from "../../ports/deployment/settings/function-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-bundles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VARIABLES = { ...ENVIRONMENT, AWS_REGION: "eu-central-1" };

/** Imports every module of a function's bundle where no package is installed, as in Lambda. Prints its handler. */
function importBundle(name: FunctionName): string {
  const to = join(folder, name);
  writeFunction(name, to, { files: { "rules.json": '{"rules":[],"receivers":[]}' } });
  const modules = readdirSync(to).filter((file) => file.endsWith(".mjs"));
  const script = [
    `for (const file of ${JSON.stringify(modules)}) await import(${JSON.stringify(to)} + "/" + file);`,
    `const { handler } = await import(${JSON.stringify(join(to, "index.mjs"))});`,
    "console.log(typeof handler);",
  ].join(" ");
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: to,
    env: VARIABLES,
    encoding: "utf8",
  });
  return run.status === 0 ? run.stdout.trim() : run.stderr;
}

/** The modules of a bundle that are loaded with this one. */
function atStart(outputs: Metafile["outputs"], path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
    if (kind === "import-statement") atStart(outputs, imported, known);
  }
  return known;
}

describe("the bundle of a function", () => {
  it.each(["archive", "deliver", "ingest", "query"] as const)("of %s has every module that it imports", (name) => {
    expect(importBundle(name)).toBe("function");
  });

  it.each([
    ["query", /client-s3|hyparquet|to-json-schema|modelcontextprotocol|zod/],
    ["deliver", /client-eventbridge|client-sns|nodemailer/],
  ] as const)("of %s loads only when it is needed what most requests do not need", (name, onDemand) => {
    const { outputs } = bundleFunction(name, join(folder, `parts-${name}`));
    const [entry = ""] = Object.keys(outputs).filter((path) => path.endsWith("/index.mjs"));
    expect(outputs[entry]?.imports.some(({ kind }) => kind === "dynamic-import")).toBe(true);
    const loaded = [...atStart(outputs, entry)].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    expect(loaded.filter((path) => onDemand.test(path))).toEqual([]);
    const all = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(all.filter((path) => onDemand.test(path)).length).toBeGreaterThan(0);
  });
});
