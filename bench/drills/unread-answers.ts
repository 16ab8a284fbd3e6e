// What do clients cost that never read their answer, and clients that leave? `outlive serve` has 10,000 Jobs. A
// thousand clients of one reader ask for a long list and never read, while another reader asks for five Jobs again and
// again. Then one client asks for all Jobs as kubectl does, and leaves after 100 ms. `--path /apis/batch/v1/jobs` lets
// the thousand ask for another answer. `--serve FOLDER` measures the `outlive serve` of another checkout.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";
import { busyCluster } from "../dynamodb/steady-jobs.ts";
import { type Measure, report } from "../measuring/measure.ts";
import { benchOptions } from "../measuring/options.ts";

const options = benchOptions(["clients", "database", "jobs", "path", "seconds", "serve"]);
const CLIENTS = options.positive("clients", 1_000);
const JOBS = options.positive("jobs", 10_000);
const PATH = options.text("path") ?? "/v1/jobs?limit=500";
/** How long the clients stay. */
const SECONDS = options.positive("seconds", 15);
const ROOT = options.text("serve") ?? join(import.meta.dirname, "../..");
/** The interval between two questions of the other reader. */
const ASKING_MILLIS = 50;
/** When the client of the whole list leaves, and how long the server is watched afterwards. */
const LEAVING_MILLIS = 100;
const WATCHED_MILLIS = 8_000;
const FACTS_AT_ONCE = 5_000;
/** Linux reports processor time in these units. */
const TICKS_PER_SECOND = 100;
const [HOG, OTHER] = ["token-of-the-reader-that-never-reads", "token-of-another-reader"];

const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const database = options.text("database") ?? join(folder, "outlive.sqlite");
if (!existsSync(database)) await fill();
const serve = await startServe();
try {
  report([...(await measureUnread()), ...(await measureLeft())]);
} finally {
  serve.child.kill();
  rmSync(folder, { recursive: true });
}

async function fill(): Promise<void> {
  const facts = busyCluster({ jobs: JOBS, everyMs: 500, until: "end" }).map(({ fact }) => fact);
  const embedded = openEmbedded(database);
  await embedded.importFacts(batches(facts), { cluster: clusterNamed("bench"), now: Date.now() });
  embedded.close();
}

async function* batches(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  for (let from = 0; from < facts.length; from += FACTS_AT_ONCE) yield facts.slice(from, from + FACTS_AT_ONCE);
}

async function startServe(): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly port: number }> {
  const tokens = join(folder, "tokens.json");
  writeFileSync(tokens, JSON.stringify([HOG, OTHER].map((token) => ({ token, grants: ["*"] }))), { mode: 0o600 });
  const args = [`--database=${database}`, `--tokens-file=${tokens}`, "--listen=127.0.0.1:0"];
  const child = spawn(process.execPath, [join(ROOT, "cli/outlive.js"), "serve", ...args], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  const lines = createInterface({ input: child.stderr });
  const [line] = (await once(lines, "line")) as [string];
  lines.on("line", (other) => console.error(other));
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/u.exec(line) ?? [];
  if (port === undefined || child.pid === undefined) throw new Error(`outlive serve began with: ${line}`);
  return { child, pid: child.pid, port: Number(port) };
}

async function measureUnread(): Promise<readonly Measure[]> {
  const bytes = (await (await ask(PATH)).arrayBuffer()).byteLength;
  const quiet = await latenciesFor(2);
  const before = costOf();
  const sockets = Array.from({ length: CLIENTS }, () => neverReading());
  const latencies = await latenciesFor(SECONDS);
  const during = costOf();
  for (const socket of sockets) socket.destroy();
  await untilIdle();
  const name = (what: string) => `${CLIENTS} clients that never read ${PATH}: ${what}`;
  return [
    { name: name("the answer"), value: bytes / 1e6, unit: "MB" },
    { name: name("memory before"), value: before.mebibytes, unit: "MiB" },
    { name: name("memory at most"), value: during.peakMebibytes, unit: "MiB", goal: "<= 400" },
    { name: name("processor time"), value: during.cpu - before.cpu, unit: "s" },
    { name: name("another reader without them, worst"), value: Math.max(...quiet), unit: "ms" },
    { name: name("another reader, questions"), value: latencies.length, unit: "questions" },
    { name: name("another reader, worst"), value: Math.max(...latencies), unit: "ms", goal: "<= 500" },
  ];
}

/** Until the server has noticed that the clients have left. */
async function untilIdle(): Promise<void> {
  for (let before = -1; costOf().cpu - before > 0.05; await wait(1_000)) before = costOf().cpu;
}

/** A client that sends a request and takes no byte of the answer. */
function neverReading(): Socket {
  const socket = connect(serve.port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${HOG}\r\n\r\n`);
  return socket;
}

async function measureLeft(): Promise<readonly Measure[]> {
  const path = "/apis/batch/v1/jobs";
  const whole = costOf().cpu;
  await (await ask(path)).arrayBuffer();
  const before = costOf().cpu;
  const leave = AbortSignal.timeout(LEAVING_MILLIS);
  await ask(path, leave)
    .then((answer) => answer.arrayBuffer())
    .catch(() => undefined);
  const left = costOf().cpu;
  await wait(WATCHED_MILLIS);
  const list = `kubectl list of ${JOBS} Jobs`;
  return [
    { name: `${list}: processor time of all of it`, value: before - whole, unit: "s" },
    { name: `${list}: processor time until the client leaves`, value: left - before, unit: "s" },
    { name: `${list}: processor time after it has left`, value: costOf().cpu - left, unit: "s", goal: "<= 0.5" },
  ];
}

async function latenciesFor(seconds: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const from = performance.now();
    await (await ask("/v1/jobs?limit=5")).arrayBuffer();
    latencies.push(performance.now() - from);
    await wait(ASKING_MILLIS);
  }
  return latencies;
}

function ask(path: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${OTHER}` };
  return fetch(`http://127.0.0.1:${serve.port}${path}`, { headers, ...(signal && { signal }) });
}

/** From Linux's /proc: processor seconds so far, and the memory of the process now and at most. */
function costOf(): { readonly cpu: number; readonly mebibytes: number; readonly peakMebibytes: number } {
  const [, fields = ""] = readFileSync(`/proc/${serve.pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  const status = readFileSync(`/proc/${serve.pid}/status`, "utf8");
  const mebibytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`, "u").exec(status)?.[1]) / 1024;
  return { cpu: (user + system) / TICKS_PER_SECOND, mebibytes: mebibytes("VmRSS"), peakMebibytes: mebibytes("VmHWM") };
}
