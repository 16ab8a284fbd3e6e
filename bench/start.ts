// How long does the command line take to start, and how large is its installation?
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { median, report } from "./measuring/measure.ts";

const RUNS = 15;
const time = (args: readonly string[]): number => {
  const began = performance.now();
  const run = spawnSync(process.execPath, args, { stdio: "ignore" });
  if (run.status !== 0) throw new Error(`node ${args.join(" ")} ended with exit status ${run.status}`);
  return performance.now() - began;
};
const bare: number[] = [];
const help: number[] = [];
for (let run = 0; run <= RUNS; run += 1) {
  const pair = [time(["-e", "0"]), time(["cli/outlive.js", "--help"])] as const;
  if (run === 0) continue; // The first run fills the compile cache.
  bare.push(pair[0]);
  help.push(pair[1]);
}
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const installed = existsSync("node_modules")
  ? Number(
      spawnSync("du", ["-sk", "--exclude=node_modules/.*", "node_modules"], { encoding: "utf8" }).stdout.split("\t")[0],
    ) / 1024
  : Number.NaN;
report([
  {
    name: "start: outlive --help beyond Node's own start, p50",
    value: median(help.map((ms, n) => ms - (bare[n] ?? 0))),
    unit: "ms",
    goal: "<= 200",
  },
  { name: "install: node_modules on disk, caches of tools aside", value: installed, unit: "MiB", goal: "<= 500" },
  { name: "install: runtime dependencies", value: Object.keys(dependencies).length, unit: "packages" },
]);
