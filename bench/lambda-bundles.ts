// How large is each function's bundle, and how long does Node take to import it? A cold start takes this time and that
// of Lambda.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { neverLoadedBy } from "../lib/never-loaded.ts";
import { type Measure, median, report } from "./measuring/measure.ts";

const RUNS = 9;
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "outlive-bundles-"));

/** Set as in the stack. The resources do not exist, because an import sends no request to AWS. */
const ENVIRONMENT = {
  AWS_REGION: "eu-central-1",
  OUTLIVE_STAGE: "bench",
  OUTLIVE_LOG_TABLE: "log",
  OUTLIVE_JOBS_TABLE_A: "jobs-a",
  OUTLIVE_JOBS_TABLE_B: "jobs-b",
  OUTLIVE_META_TABLE: "meta",
  OUTLIVE_JOBS_STREAM_A: "arn:aws:dynamodb:eu-central-1:123456789012:table/jobs-a/stream/2026",
  OUTLIVE_JOBS_STREAM_B: "arn:aws:dynamodb:eu-central-1:123456789012:table/jobs-b/stream/2026",
  OUTLIVE_REFOLD_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/123456789012/refold",
  OUTLIVE_SEGMENT_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/123456789012/segments",
  OUTLIVE_AUDIT_LOG_GROUPS: '{"/aws/eks/prod/cluster":"prod"}',
  OUTLIVE_SET_ASIDE_BUCKET: "set-aside",
  OUTLIVE_ARCHIVE_BUCKET: "archive",
  OUTLIVE_OIDC_ISSUER: "https://id.example.com/",
  OUTLIVE_OIDC_AUDIENCE: "outlive",
  OUTLIVE_RULES_FILE: join(root, "test/support/notify/rules.yaml"),
  OUTLIVE_DELIVERY_QUEUES: '{"hook":"https://sqs.eu-central-1.amazonaws.com/123456789012/hook"}',
};

try {
  const functions = readdirSync(join(root, "functions")).filter((name) => name.endsWith(".ts"));
  const measures: Measure[] = [];
  for (const file of functions) measures.push(...(await measure(file)));
  report(measures);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(file: string): Promise<readonly Measure[]> {
  const name = file.replace(/\.ts$/, "");
  const outfile = join(folder, `${name}.mjs`);
  // The options that lib/outlive-function.ts gives to CDK's NodejsFunction.
  await build({
    entryPoints: [join(root, "functions", file)],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    external: [...neverLoadedBy(name)],
    legalComments: "none",
    banner: { js: 'import{createRequire as r}from"node:module";const require=r(import.meta.url);' },
    logLevel: "error",
  });
  const imports = Array.from({ length: RUNS }, () => importMillis(outfile));
  return [
    { name: `${name}: bundle`, value: statSync(outfile).size / 1000, unit: "kB", goal: "<= 400" },
    { name: `${name}: import, p50`, value: median(imports.map(({ wall }) => wall)), unit: "ms", goal: "<= 120" },
    { name: `${name}: import, p50 of processor time`, value: median(imports.map(({ cpu }) => cpu)), unit: "ms" },
  ];
}

/** In its own process, without Node's start. Processor time is more reliable than the clock on a shared machine. */
function importMillis(path: string): { readonly wall: number; readonly cpu: number } {
  const script = [
    "const begin = performance.now(), used = process.cpuUsage();",
    `await import(${JSON.stringify(path)});`,
    "const { user, system } = process.cpuUsage(used);",
    "console.log(JSON.stringify({ wall: performance.now() - begin, cpu: (user + system) / 1000 }));",
  ].join(" ");
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env: ENVIRONMENT,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`Importing ${path} ended with exit status ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stdout) as { readonly wall: number; readonly cpu: number };
}
