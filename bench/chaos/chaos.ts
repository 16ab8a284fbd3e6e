// Is any answer wrong while every part of the whole path fails? Seeded runs:
// npm run chaos -- --seed N --minutes M [--runs 1] [--deployed] [--output table|json] [--port 19300] [--tools DIR]
//   [--dir DIR]
// Further runs have the seeds after N. They share the deployed stack, each with a cluster of its own.
// docs/chaos.md describes what a run covers, and what it needs.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { EmulatorName } from "../../test/emulators/emulator.ts";
import { emulatorWanted } from "../../test/end-to-end/aws/emulator-wanted.ts";
import { ChaosRun } from "./chaos-run.ts";
import { judgeRun } from "./judge-run.ts";
import { type Deployment, openDeployed } from "./deployed.ts";
import { openOneProcess } from "./one-process.ts";
import { reportText, type RunReport, summaryOf, summaryText } from "./report.ts";
import { scheduleOf } from "./schedule.ts";
import { DEPLOYED, ONE_PROCESS } from "./targets.ts";
import type { Tracker } from "./world.ts";
import { ControlPlane } from "../fault-run/control-plane.ts";
import { seededRandom } from "../fault-run/seeded-random.ts";

const values = parsed();
const { tools, dir, deployed: isDeployed } = values;
const [firstSeed, runs, port] = [Number(values.seed), Number(values.runs), Number(values.port)];
const minutes = Number(values.minutes);
if (![firstSeed, runs, port].every(Number.isSafeInteger) || !(minutes > 0) || !/^(table|json)$/.test(values.output)) {
  fail("Write --seed, --runs and --port as whole numbers, --minutes as a number, and --output as table or json.");
}
for (const file of [join(tools, "cluster.mjs"), join(dir, "bin/current/kube-apiserver"), join(dir, "bin/etcd")]) {
  if (!existsSync(file)) {
    fail(
      `${file} does not exist. A run needs a real control plane: build it with ` +
        `"node ${join(tools, "cluster.mjs")} build current --dir ${dir}", or set --tools and --dir.`,
    );
  }
}
const emulator = isDeployed ? emulatorWanted() : undefined;
if (emulator?.outcome === "skip") fail("No emulator of AWS can run here (test/emulators/README.md).");

/** Ends the processes that a stopped command would leave running, in reverse order of their start. */
const cleanUps: (() => void)[] = [];
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    for (const cleanUp of cleanUps.toReversed()) cleanUp();
    process.exit(130);
  });
}
const deployment = emulator?.outcome === "run" ? await deploy(emulator.name) : undefined;
if (deployment !== undefined) cleanUps.push(() => deployment.stop());
const reports: RunReport[] = [];
try {
  for (let n = 0; n < runs; n += 1) {
    const report = await runOnce(firstSeed + n);
    reports.push(report);
    if (values.output === "table") console.log(`${reportText(report)}\n`);
  }
} finally {
  deployment?.stop();
}
console.log(values.output === "json" ? JSON.stringify(summaryOf(reports)) : summaryText(reports));
// Connections to stopped processes may still be closing.
process.exit(reports.every(({ violations }) => violations.length === 0) ? 0 : 1);

async function runOnce(seed: number): Promise<RunReport> {
  const name = `chaos-${port}-${seed}`;
  const scratch = folder(name);
  const kept = cleanUps.length;
  const plane = new ControlPlane({ tools, dir, name, release: "current", port });
  plane.start();
  cleanUps.push(() => plane.stop());
  let tracker: Tracker | undefined;
  let run: ChaosRun | undefined;
  try {
    tracker = deployment?.tracker(`faults-${seed}`) ?? (await oneProcess(plane, scratch));
    run = new ChaosRun({ seed, scratch, plane, apiServerPort: port, tracker });
    const started = [run, tracker];
    cleanUps.push(() => started.forEach((part) => part.stop()));
    const faults = scheduleOf({ seed, minutes, targets: isDeployed ? DEPLOYED : ONE_PROCESS });
    await run.start();
    await run.play(faults, (line) => say(`seed ${seed}: ${line}`));
    say(`seed ${seed}: all faults are repaired; waiting until everything has arrived`);
    const until = await run.settle();
    say(`seed ${seed}: judging`);
    const report = await judgeRun({ seed, minutes, faults, run, tracker, until, scratch });
    writeFileSync(join(scratch, "report.json"), JSON.stringify(report, undefined, 1));
    return report;
  } finally {
    cleanUps.length = kept;
    run?.stop();
    tracker?.stop();
    plane.stop();
  }
}

function oneProcess(plane: ControlPlane, scratch: string): Promise<Tracker> {
  const kubeconfig = plane.kubeconfig("exporter");
  return openOneProcess({ scratch, kubeconfig, apiServerPort: port, port: port + 10, cluster: "faults" });
}

function deploy(emulator: EmulatorName): Promise<Deployment> {
  return openDeployed({ scratch: folder(`chaos-${port}`), emulator, random: seededRandom(firstSeed + 4_000_000) });
}

function folder(name: string): string {
  const path = join(tmpdir(), `outlive-${name}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

function say(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function parsed() {
  try {
    return parseArgs({
      options: {
        seed: { type: "string", default: "1" },
        minutes: { type: "string", default: "3" },
        runs: { type: "string", default: "1" },
        deployed: { type: "boolean", default: false },
        output: { type: "string", default: "table" },
        port: { type: "string", default: "19300" },
        tools: { type: "string", default: resolve(import.meta.dirname, "../../../shared/tools/cluster") },
        dir: { type: "string", default: join(homedir(), ".cache/outlive-cluster") },
      },
    }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\nThe head of bench/chaos/chaos.ts and docs/chaos.md have the options.`);
  }
}
