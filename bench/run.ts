// Runs every benchmark of this folder in its own process, so that none affects the heap or the caches of another. What
// follows `--` is passed to each of them: `node bench/run.ts fleet -- --minutes 8`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { formatMeasures, type Measure } from "./measuring/measure.ts";

const folder = import.meta.dirname;
const notQuestions = new Set(["run.ts"]);
const words = process.argv.slice(2);
const end = words.indexOf("--");
const own = end < 0 ? words : words.slice(0, end);
const passed = end < 0 ? [] : words.slice(end + 1);
const json = own.includes("json");
const only = own.filter((word) => !word.startsWith("--") && word !== "json");

const measures: Measure[] = [];
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !notQuestions.has(name))
  .sort()) {
  const question = file.replace(/\.ts$/, "");
  if (only.length > 0 && !only.includes(question)) continue;
  process.stderr.write(`${question} ...\n`);
  const run = spawnSync(process.execPath, ["--expose-gc", `${folder}/${file}`, "--output", "json", ...passed], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) {
    console.error(`bench/${file} ended with ${run.error?.message ?? `exit status ${run.status}`}`);
    process.exitCode = 1;
    continue;
  }
  measures.push(...(JSON.parse(run.stdout) as { readonly measures: Measure[] }).measures);
}
console.log(json ? JSON.stringify({ measures }, null, 2) : formatMeasures(measures));
