// Does `outlive serve` keep up with 5,000 changes per second for one minute, and do readers notice? A small API server
// in its own process sends the recording mixed-2000 again and again, with new names. An etcd on this machine could not
// take so many changes.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { kubeconfigFor } from "./exporter/kubeconfig-for.ts";
import { type Measure, report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";
import type { Replayed } from "./serve-load/replaying-api-server.ts";

const ROOT = join(import.meta.dirname, "..");
const RATE = 5_000;
const SECONDS = benchOptions(["seconds"]).positive("seconds", 60);
/** The interval between two questions of the reader. */
const ASKING_MILLIS = 50;
/** The time after which the benchmark gives up. */
const PATIENCE_MILLIS = 600_000;
/** Linux reports processor time in these units. */
const TICKS_PER_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const apiServer = fork(join(import.meta.dirname, "serve-load/replaying-api-server.ts"), [
  String(RATE),
  String(SECONDS),
]);
const serve = await startServe(await portOf(apiServer));
try {
  report(await measure(serve.child.pid ?? 0, serve.url));
} finally {
  serve.child.kill();
  apiServer.kill();
  rmSync(folder, { recursive: true });
}

async function portOf(server: ChildProcess): Promise<number> {
  const [port] = (await once(server, "message")) as [number];
  return port;
}

async function startServe(port: number): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(port)));
  const database = join(folder, "outlive.sqlite");
  const args = [`--database=${database}`, `--kubeconfig=${kubeconfig}`, "--cluster=bench", "--listen=127.0.0.1:0"];
  const child = spawn(process.execPath, [join(ROOT, "cli/outlive.js"), "serve", ...args], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  const [line] = (await once(createInterface({ input: child.stderr }), "line")) as [string];
  const [url] = /http:\/\/127\.0\.0\.1:\d+/u.exec(line) ?? [];
  if (url === undefined) throw new Error(`outlive serve began with: ${line}`);
  return { child, url };
}

async function measure(pid: number, url: string): Promise<readonly Measure[]> {
  // The watches are open before the first change.
  await wait(3_000);
  const before = costOf(pid);
  const beganAt = performance.now();
  const latencies: number[] = [];
  const asking = { isOver: false };
  const reader = askUntil(url, latencies, asking);
  apiServer.send("begin");
  const [replayed] = (await once(apiServer, "message")) as [Replayed];
  const sentAt = performance.now();
  const listed = await countJobs(url);
  const during = costOf(pid);
  asking.isOver = true;
  await reader;
  await untilCounted(url, replayed.jobs);
  const drainedAt = performance.now();
  const after = costOf(pid);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * latencies.length)] ?? Number.NaN;
  const seconds = (sentAt - beganAt) / 1000;
  const name = (what: string) => `serve, ${RATE.toLocaleString("en-US")} changes/s: ${what}`;
  return [
    { name: name("changes sent"), value: replayed.changes, unit: "changes" },
    { name: name("bytes per change"), value: replayed.bytes / replayed.changes, unit: "B" },
    { name: name("sent per second"), value: replayed.changes / seconds, unit: "changes/s", goal: `>= ${RATE * 0.95}` },
    { name: name("Jobs sent"), value: replayed.jobs, unit: "Jobs" },
    { name: name("Jobs of them not yet listed at the end"), value: replayed.jobs - listed, unit: "Jobs" },
    { name: name("until all were listed"), value: (drainedAt - sentAt) / 1000, unit: "s", goal: "<= 5" },
    { name: name("processor time while changes arrive"), value: (during.cpu - before.cpu) / seconds, unit: "cores" },
    {
      name: name("processor time for 10,000 changes"),
      value: ((after.cpu - before.cpu) / replayed.changes) * 1e4,
      unit: "s",
    },
    { name: name("memory at most"), value: after.peakMebibytes, unit: "MiB" },
    { name: name("database"), value: statSync(join(folder, "outlive.sqlite")).size / 2 ** 20, unit: "MiB" },
    { name: name("another reader, p50"), value: at(0.5), unit: "ms" },
    { name: name("another reader, p99"), value: at(0.99), unit: "ms" },
  ];
}

async function askUntil(url: string, latencies: number[], asking: { readonly isOver: boolean }): Promise<void> {
  while (!asking.isOver) {
    const from = performance.now();
    const response = await fetch(`${url}/v1/jobs?limit=5`);
    await response.arrayBuffer();
    latencies.push(performance.now() - from);
    await wait(ASKING_MILLIS);
  }
}

async function countJobs(url: string): Promise<number> {
  const response = await fetch(`${url}/v1/summary`);
  const { jobs } = (await response.json()) as { readonly jobs: number };
  return jobs;
}

async function untilCounted(url: string, jobs: number): Promise<void> {
  const until = performance.now() + PATIENCE_MILLIS;
  while ((await countJobs(url)) < jobs) {
    if (performance.now() > until) throw new Error(`Not all of ${jobs} Jobs were listed after ${PATIENCE_MILLIS} ms.`);
    await wait(200);
  }
}

/** From Linux's /proc: processor seconds so far, and the most memory that the process had. */
function costOf(pid: number): { readonly cpu: number; readonly peakMebibytes: number } {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  const [, peak = "0"] = /VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { cpu: (user + system) / TICKS_PER_SECOND, peakMebibytes: Number(peak) / 1024 };
}
