// How much code does each function load when it starts and on demand, and how long does Node take to import the former?
// A cold start takes this time and that of Lambda.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import { parse } from "yaml";
import { writeBeside } from "../lib/bundling/beside-bundle.ts";
import { bundleFunction } from "../lib/bundling/bundle-function.ts";
import { FUNCTION_SETTINGS, type FunctionName } from "../src/ports/deployment/settings/function-settings.ts";
import { ENVIRONMENT } from "../test/ports/deployment/settings/function-environment.ts";
import { type Measure, median, report } from "./measuring/measure.ts";

const RUNS = 9;
/** Beside each bundle, which is the working directory of a function. */
const RULES = ENVIRONMENT.OUTLIVE_RULES_FILE;
const rules = JSON.stringify(
  parse(readFileSync(fileURLToPath(new URL("../test/support/notify/rules.yaml", import.meta.url)), "utf8")),
);
const folder = mkdtempSync(join(tmpdir(), "outlive-bundles-"));

/** Readers have tokens. The resources do not exist, because an import sends no request to AWS. */
const VARIABLES = {
  ...ENVIRONMENT,
  AWS_REGION: "eu-central-1",
  OUTLIVE_OPEN_MODE: "false",
  OUTLIVE_OIDC_ISSUER: "https://id.example.com/",
  OUTLIVE_OIDC_AUDIENCE: "outlive",
};

try {
  report(Object.keys(FUNCTION_SETTINGS).filter(isFunctionName).flatMap(measure));
} finally {
  rmSync(folder, { recursive: true });
}

function measure(name: FunctionName): readonly Measure[] {
  const to = join(folder, name);
  const { outputs } = bundleFunction(name, to);
  writeBeside(to, to, { files: { [RULES]: rules } });
  const loaded = loadedAtStart(outputs);
  const bytes = (paths: readonly string[]) => paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  const imports = Array.from({ length: RUNS }, () => importMillis(to));
  const later = Object.keys(outputs).filter((path) => !loaded.has(path));
  return [
    { name: `${name}: loaded at the start`, value: bytes([...loaded]) / 1000, unit: "kB", goal: "<= 400" },
    { name: `${name}: loaded on demand`, value: bytes(later) / 1000, unit: "kB" },
    { name: `${name}: import, p50`, value: median(imports.map(({ wall }) => wall)), unit: "ms", goal: "<= 120" },
    { name: `${name}: import, p50 of processor time`, value: median(imports.map(({ cpu }) => cpu)), unit: "ms" },
  ];
}

function isFunctionName(name: string): name is FunctionName {
  return name in FUNCTION_SETTINGS;
}

/** The entry, and what it imports before it runs. */
function loadedAtStart(outputs: Metafile["outputs"]): ReadonlySet<string> {
  const loaded = new Set(Object.keys(outputs).filter((path) => path.endsWith("/index.mjs")));
  for (const path of loaded) {
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && external !== true) loaded.add(imported);
    }
  }
  return loaded;
}

/** In its own process, without Node's start. Processor time is more reliable than the clock on a shared machine. */
function importMillis(cwd: string): { readonly wall: number; readonly cpu: number } {
  const script = [
    "const begin = performance.now(), used = process.cpuUsage();",
    `await import(${JSON.stringify(join(cwd, "index.mjs"))});`,
    "const { user, system } = process.cpuUsage(used);",
    "console.log(JSON.stringify({ wall: performance.now() - begin, cpu: (user + system) / 1000 }));",
  ].join(" ");
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd,
    env: VARIABLES,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`Importing ${cwd} ended with exit status ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stdout) as { readonly wall: number; readonly cpu: number };
}
