// What does the exporter as the chart runs it (bundled, with its NODE_OPTIONS) need to observe a cluster of
// 100,000 Pods of 8 kB for the first time, and to send its facts? API server and queue are small real HTTP servers, the
// first in its own process (bench/capture.ts).
import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SmallSqs } from "../test/support/aws/small-sqs.ts";
import { CHART_NODE_OPTIONS } from "./exporter/chart-node-options.ts";
import { kubeconfigFor } from "./exporter/kubeconfig-for.ts";
import { report } from "./measuring/measure.ts";

const ROOT = join(import.meta.dirname, "..");
/** Everything was sent if nothing more was sent for this time. */
const QUIET_MILLIS = 3000;

execFileSync("npm", ["run", "-s", "build:package"], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
const server = fork(join(import.meta.dirname, "capture.ts"), ["serve"]);
const [port] = (await once(server, "message")) as [number];
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const kubeconfig = join(folder, "kubeconfig");
writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(port)));
const sqs = new SmallSqs();
const queue = await sqs.start();
const beganAt = performance.now();
const exporter = spawn(
  process.execPath,
  [
    join(ROOT, "dist/package/cli/outlive.js"),
    "export",
    `--queue=${queue}/000000000000/outlive`,
    `--kubeconfig=${kubeconfig}`,
    `--spool=${join(folder, "spool")}`,
    "--metrics=127.0.0.1:0",
  ],
  { env: { ...awsEnvironment(queue), NODE_OPTIONS: CHART_NODE_OPTIONS }, stdio: ["ignore", "ignore", "pipe"] },
);
try {
  const listedAfter = await untilListed();
  const sentAfter = await untilSent();
  const { peakMebibytes, cpuSeconds } = costOf(exporter.pid ?? 0);
  report([
    {
      name: "exporter: first sync of 100,000 Pods of 8 kB, its start included",
      value: listedAfter,
      unit: "s",
      goal: "<= 60",
    },
    { name: "exporter: until the queue had all of it", value: sentAfter, unit: "s" },
    { name: "exporter: processor time until then", value: cpuSeconds, unit: "s" },
    {
      name: `exporter: memory until then at most (${CHART_NODE_OPTIONS})`,
      value: peakMebibytes,
      unit: "MiB",
      goal: "<= 256",
    },
    {
      name: "exporter: bodies of messages",
      value: sqs.taken.reduce((sum, { body }) => sum + body.length, 0) / 1e6,
      unit: "MB",
    },
  ]);
} finally {
  exporter.kill("SIGKILL");
  server.kill();
  sqs.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

function awsEnvironment(endpoint: string): NodeJS.ProcessEnv {
  return { AWS_ENDPOINT_URL: endpoint, AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
}

/** Seconds until the journal reports that the Pods are listed. */
async function untilListed(): Promise<number> {
  for await (const line of createInterface({ input: exporter.stderr })) {
    if (line.includes('"Listed."') && line.includes('"pods"')) return (performance.now() - beganAt) / 1000;
    if (!line.includes('"info"')) console.error(line);
  }
  throw new Error("The exporter ended before it had listed the Pods.");
}

/** Seconds until the last segment was accepted. */
async function untilSent(): Promise<number> {
  for (;;) {
    const last = sqs.taken.at(-1)?.at ?? Date.now();
    if (Date.now() - last >= QUIET_MILLIS) return (performance.now() - beganAt - (Date.now() - last)) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** From the kernel: the largest resident set of a process, and its processor time in ticks of 10 ms (proc(5)). */
function costOf(pid: number): { readonly peakMebibytes: number; readonly cpuSeconds: number } {
  const [, peak = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return { peakMebibytes: Number(peak) / 1024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}
