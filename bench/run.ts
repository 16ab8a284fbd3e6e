// Runs every benchmark of this folder in its own process, so that none affects the heap or the caches of another. What
// follows `--` is passed to each of them: `node bench/run.ts fleet -- --minutes 8`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { formatMeasures, type Measure } from "./measuring/measure.ts";

const HELP = `Usage: node bench/run.ts [--output json] [BENCHMARK ...] [-- OPTION ...]

Runs the named benchmarks, or all of them, and prints their measures. All of them take hours.
What follows -- is passed to each: node bench/run.ts fleet -- --minutes 8

Benchmarks:
`;

const folder = import.meta.dirname;
const known = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "run.ts")
  .map((name) => name.replace(/\.ts$/, ""))
  .sort();
const words = process.argv.slice(2);
const end = words.includes("--") ? words.indexOf("--") : words.length;
const passed = words.slice(end + 1);
const { json, help, names } = parsed(words.slice(0, end));
if (help) {
  console.log(HELP + known.map((name) => `  ${name}\n`).join(""));
  process.exit(0);
}

const measures: Measure[] = [];
for (const question of names.length > 0 ? names : known) {
  process.stderr.write(`${question} ...\n`);
  const run = spawnSync(process.execPath, ["--expose-gc", `${folder}/${question}.ts`, "--output", "json", ...passed], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) {
    console.error(`bench/${question}.ts ended with ${run.error?.message ?? `exit status ${run.status}`}`);
    process.exitCode = 1;
    continue;
  }
  measures.push(...(JSON.parse(run.stdout) as { readonly measures: Measure[] }).measures);
}
console.log(json ? JSON.stringify({ measures }, null, 2) : formatMeasures(measures));

/** The words before `--`. A mistyped one ends the program: without a name, every benchmark would run. */
function parsed(own: readonly string[]): { readonly json: boolean; readonly help: boolean; readonly names: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...own],
      options: { output: { type: "string", default: "table" }, help: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const unknown = positionals.filter((name) => !known.includes(name));
    if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(", ")}; known: ${known.join(", ")}`);
    if (!["table", "json"].includes(values.output)) {
      throw new Error(`--output ${values.output}: table or json`);
    }
    return { json: values.output === "json", help: values.help, names: positionals };
  } catch (error) {
    console.error(`${(error as Error).message}\nnode bench/run.ts --help shows the benchmarks.`);
    process.exit(2);
  }
}
