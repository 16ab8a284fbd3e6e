// What does the first observation of a cluster with 100,000 Pods of 8 kB cost (time, memory), and what do a million
// changes after it cost (processor time)? What does the informer of the official client need for the same? The API
// server is a small one in its own process, with all data prepared.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoreV1Api, KubeConfig, makeInformer } from "@kubernetes/client-node";
import { captureCluster } from "../src/kubernetes/watch/capture.ts";
import { openKubeconfig } from "../src/kubernetes/connection/kubeconfig-connection.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { CHART_NODE_OPTIONS } from "./exporter/chart-node-options.ts";
import { kubeconfigFor } from "./exporter/kubeconfig-for.ts";
import { type Measure, report } from "./measuring/measure.ts";
import { recordedEvents } from "./measuring/recorded.ts";

const PODS = 100_000;
/** The informer reads a list into one string, and V8 limits strings to 512 MiB: it cannot read 100,000 such Pods. */
const INFORMER_PODS = 50_000;
const CHANGES = 200_000;
const POD_BYTES = 8_000;
/** Without a limit, Node postpones garbage collection as long as the machine has memory. */
const CAPTURE_HEAP = CHART_NODE_OPTIONS.split(" ");
const POD_UID = "b0000000-0000-4000-8000-000000000000";

interface Cost {
  readonly seconds: number;
  /** Processor time from the start of the process to the end of the list. */
  readonly cpuSeconds: number;
  readonly kibibytes: number;
  readonly cpuSecondsPerMillion?: number;
}

const [, , role, kubeconfig = "", more] = process.argv;
if (role === "serve") await serve();
else if (role === "capture") answer(await capture(kubeconfig, more === "changes"));
else if (role === "informer") answer(await inform(kubeconfig));
else await compare();

function answer(cost: Cost): void {
  process.send?.(cost, () => process.exit(0));
}

async function compare(): Promise<void> {
  const server = fork(import.meta.filename, ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, JSON.stringify(kubeconfigFor(port)));
  const first = await costOf(["capture", file], CAPTURE_HEAP);
  const changes = await costOf(["capture", file, "changes"], CAPTURE_HEAP);
  const informer = await costOf(["informer", file], ["--max-old-space-size=8000"]);
  server.kill();
  rmSync(folder, { recursive: true });
  const measures: Measure[] = [
    { name: "capture: first sync of 100,000 Pods of 8 kB", value: first.seconds, unit: "s", goal: "<= 60" },
    { name: "capture: processor time of it, the start of the process included", value: first.cpuSeconds, unit: "s" },
    { name: "capture: memory for it at most", value: first.kibibytes / 1024, unit: "MiB" },
    { name: "capture: processor time of a million changes", value: changes.cpuSecondsPerMillion ?? 0, unit: "s" },
    { name: "capture: memory with 200,000 changes after it", value: changes.kibibytes / 1024, unit: "MiB" },
    { name: "client-node's informer: first sync of half as many", value: informer.seconds, unit: "s" },
    { name: "client-node's informer: processor time of it", value: informer.cpuSeconds, unit: "s" },
    { name: "client-node's informer: memory for it at most", value: informer.kibibytes / 1024, unit: "MiB" },
    {
      name: "memory of the informer to that of the capture",
      value: informer.kibibytes / first.kibibytes,
      unit: "times",
    },
  ];
  report(measures);
}

async function costOf(args: readonly string[], heap: readonly string[]): Promise<Cost> {
  const child = fork(import.meta.filename, args, { execArgv: [...heap] });
  const ended = once(child, "exit").then(([status]) => {
    throw new Error(`${args.join(" ")} ended with ${String(status)} and no figures`);
  });
  const [cost] = (await Promise.race([once(child, "message"), ended])) as [Cost];
  return cost;
}

async function capture(file: string, withChanges: boolean): Promise<Cost> {
  const began = performance.now();
  const stopper = new AbortController();
  const connection = openKubeconfig({ kind: "kubeconfig", file });
  let listed = false;
  let seconds = 0;
  let cpuSeconds = 0;
  let events = 0;
  let cpuBefore = process.cpuUsage();
  const steps = captureCluster(connection, {
    clock: systemClock,
    random: Math.random,
    signal: stopper.signal,
    report: (progress) => {
      if (progress.kind === "heard" && listed) events += progress.events;
      if (progress.kind !== "listed" || progress.resource !== "pods") return;
      listed = true;
      seconds = (performance.now() - began) / 1000;
      cpuBefore = process.cpuUsage();
      cpuSeconds = cpuSecondsOf(cpuBefore);
      if (withChanges) void fetch(`${connection.server}/change`);
      else stopper.abort();
    },
  });
  for await (const _ of steps) if (events >= CHANGES) stopper.abort();
  const cpuSecondsPerMillion = (cpuSecondsOf(process.cpuUsage(cpuBefore)) * 1e6) / CHANGES;
  return { seconds, cpuSeconds, kibibytes: process.resourceUsage().maxRSS, cpuSecondsPerMillion };
}

async function inform(file: string): Promise<Cost> {
  const began = performance.now();
  const config = new KubeConfig();
  config.loadFromFile(file);
  const api = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
  let pods = 0;
  const done = new Promise<void>((resolve) => {
    informer.on("add", () => {
      pods += 1;
      if (pods === INFORMER_PODS) resolve();
    });
  });
  informer.on("error", (error: unknown) => {
    throw new Error("The informer of client-node stopped before it had listed everything.", { cause: error });
  });
  await informer.start();
  await done;
  const seconds = (performance.now() - began) / 1000;
  return { seconds, cpuSeconds: cpuSecondsOf(process.cpuUsage()), kibibytes: process.resourceUsage().maxRSS };
}

function cpuSecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}

async function serve(): Promise<void> {
  const template = await podTemplate();
  const watches = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://bench");
    const resource = pathname.split("/").at(-1) ?? "";
    response.setHeader("content-type", "application/json");
    if (resource === "change") {
      response.end();
      for (const watch of watches) void change(watch, template);
    } else if (searchParams.has("watch")) {
      if (resource === "pods") watches.add(response);
      response.on("close", () => watches.delete(response));
      void stream(response, resource === "pods" ? template : undefined, searchParams.has("sendInitialEvents"));
    } else {
      const limit = Number(searchParams.get("limit") ?? INFORMER_PODS);
      void list(response, template, pathname.endsWith("/pods") ? limit : 0);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.((server.address() as AddressInfo).port);
}

async function stream(response: ServerResponse, template: string | undefined, initial: boolean): Promise<void> {
  response.flushHeaders();
  if (!initial) return;
  if (template !== undefined) {
    for (let n = 0; n < PODS; n += 1) await write(response, `{"type":"ADDED","object":${pod(template, n, n + 1)}}\n`);
  }
  const metadata = { resourceVersion: "200000", annotations: { "k8s.io/initial-events-end": "true" } };
  response.write(`${JSON.stringify({ type: "BOOKMARK", object: { metadata } })}\n`);
}

async function change(response: ServerResponse, template: string): Promise<void> {
  for (let n = 0; n < CHANGES; n += 1) {
    await write(response, `{"type":"MODIFIED","object":${pod(template, n % PODS, 200_001 + n)}}\n`);
  }
}

async function list(response: ServerResponse, template: string, limit: number): Promise<void> {
  response.write(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"200000"},"items":[`);
  for (let n = 0; n < limit; n += 1) await write(response, `${n === 0 ? "" : ","}${pod(template, n, n + 1)}`);
  response.end("]}");
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (!response.write(text)) await once(response, "drain");
}

function pod(template: string, n: number, resourceVersion: number): string {
  const uid = `b0000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return template.replaceAll(POD_UID, uid).replace(`"resourceVersion":"1"`, `"resourceVersion":"${resourceVersion}"`);
}

/** A Pod of a recording, with additional environment variables up to the size of a typical large Pod. */
async function podTemplate(): Promise<string> {
  const events = (await recordedEvents()) as readonly { readonly object: PodLike }[];
  const found = events.findLast(({ object }) => object.kind === "Pod")?.object;
  if (found === undefined) throw new Error("The recording has no Pod. Use one with Pods, such as mixed-2000.");
  const { metadata, spec } = found;
  const named = { ...found, metadata: { ...metadata, name: `pod-${POD_UID}`, uid: POD_UID, resourceVersion: "1" } };
  const missing = POD_BYTES - JSON.stringify(named).length;
  const env = Array.from({ length: Math.round(missing / 60) }, (_, n) => ({
    name: `VARIABLE_${n}`,
    value: "x".repeat(32),
  }));
  return JSON.stringify({ ...named, spec: { ...spec, containers: [{ name: "work", image: "work:1", env }] } });
}

interface PodLike {
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}
