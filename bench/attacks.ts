// How long do other readers wait while one caller attacks the server? The server runs in a thread of its own.
// `node bench/attacks.ts --only streams` runs the attacks with this text in their name.
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { Embedded } from "../src/host/embedded/embedded-tracker.ts";
import type { ApiStores } from "../src/http/create-api.ts";
import type { Scope } from "../src/query/access/scope.ts";
import { post } from "./attacks/post.ts";
import { watchTurns } from "./attacks/turn-watch.ts";
import { type Measure, report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";

const ATTACKER = "attacker";
const OTHER = "other";
/** A reader of one Job. */
const OWNER = "owner";
const PODS = 20_000;
const SMALL_JOBS = 2_000;
const CLUSTER = "/v1/clusters/east/namespaces";
const FLOOD = "a watched API server that floods";

const FULL_SPEED_MILLIS = 8_000;

type Command = { readonly watch: string } | "delay" | "stop";

/** Each token, and the namespace that it may read. */
const NAMESPACES = [
  [ATTACKER, "empty"],
  [OWNER, "own"],
  ["pods", "default"],
  [OTHER, "default"],
] as const;

async function serve(): Promise<void> {
  const { createApi } = await import("../src/http/create-api.ts");
  const { API_PARTS } = await import("../src/host/optional/api-parts.ts");
  const { OpenStreams } = await import("../src/http/streams/open-streams.ts");
  const { tokenGrant } = await import("../src/http/access/token-access.ts");
  const { openEmbedded } = await import("../src/host/embedded/embedded-tracker.ts");
  const { listen } = await import("../src/host/server/listen.ts");
  const folder = mkdtempSync(join(tmpdir(), "outlive-attacks-"));
  const embedded = openEmbedded(join(folder, "outlive.sqlite"));
  await fill(embedded);
  const app = createApi({
    ...API_PARTS,
    stores: embedded,
    access: { kind: "bearer", tokens: NAMESPACES.map(([token, name]) => tokenGrant(token, grants(name))) },
    now: Date.now,
    version: "0",
    onError: (error) => console.error(error),
    streams: new OpenStreams(),
  });
  const { url } = await listen(app, { host: "127.0.0.1", port: 0 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  parentPort?.on("message", (message: Command) => {
    if (message === "delay") {
      const { elapsed, computing } = turns.take();
      post(parentPort, [delay.percentile(99) / 1e6, elapsed, computing]);
      delay.reset();
    } else if (message === "stop") {
      rmSync(folder, { recursive: true });
      process.exit(0);
    } else void watch(embedded, message.watch);
  });
  post(parentPort, url);
}

/** Watches the cluster of a kubeconfig, as `outlive serve --kubeconfig` does. */
async function watch(embedded: Embedded, kubeconfig: string): Promise<void> {
  const { watchInto } = await import("../src/host/embedded/watch-into.ts");
  const { connect, sourceOf } = await import("../src/host/exporter/connect.ts");
  const { clusterNamed } = await import("../test/support/facts/names.ts");
  const connection = connect(sourceOf(kubeconfig, undefined));
  const cluster = clusterNamed("flood");
  const { ended } = await watchInto({ embedded, connection, cluster, report: () => undefined });
  await ended;
}

function grants(namespace: string): Scope {
  return { grants: [{ cluster: "east", namespaces: [namespace] }] };
}

/** A Job with many Pods, and many small Jobs. */
async function fill(embedded: ApiStores): Promise<void> {
  const { tell } = await import("../test/support/stores/stores-with-facts.ts");
  const { largeJobFacts, podBeginFacts, podEndFacts } = await import("../test/support/facts/large-job-facts.ts");
  const { Story } = await import("../test/support/story/story.ts");
  const pods = Array.from({ length: PODS }, (_, pod) => [...podBeginFacts(pod), ...podEndFacts(pod)]).flat();
  await tell(embedded, [...largeJobFacts({ indexed: false, completions: PODS }), ...pods], { factsInSegment: 2_000 });
  const small = Array.from({ length: SMALL_JOBS }, (_, number) => {
    const story = new Story(`small-${number}`);
    story.jobCreated();
    story.podCreated("a");
    story.podStarted("a");
    story.jobFinished("Complete");
    return story.facts;
  }).flat();
  await tell(embedded, small, { factsInSegment: 100 });
  const own = new Story("own");
  own.jobCreated({}, { namespace: "own" });
  await tell(embedded, own.facts);
}

function isWanted(name: string): boolean {
  return name.includes(benchOptions(["only"]).text("only") ?? "");
}

async function attack(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  const url = await new Promise<string>((resolve) => worker.once("message", resolve));
  const unknown = `/${"x".repeat(12_000)}`;
  const attacks: readonly (readonly [string, () => Promise<void>])[] = [
    ["no attack", async () => {}],
    ["20/s unknown paths of 12 KB, no token", () => perSecond(20, () => send(url, unknown))],
    [
      "20/s healthz with 8 KB of query, no token",
      () => perSecond(20, () => send(url, `/v1/healthz?${"a&".repeat(4_000)}`)),
    ],
    ["20/s Job names of 12 KB", () => perSecond(20, () => send(url, `${CLUSTER}/default/jobs${unknown}`, "pods"))],
    [
      "20/s unknown Job names of 250 characters",
      () => perSecond(20, () => send(url, `${CLUSTER}/default/jobs/${"x".repeat(250)}`, "pods")),
    ],
    ["60 streams since 2020 of a reader without Jobs", () => atOnce(60, () => stream(url, ATTACKER))],
    ["60 streams since 60 instants of a reader of one Job", () => atOnce(60, (index) => stream(url, OWNER, index))],
    [
      "300 questions for 1,000 Pods",
      () => atOnce(300, () => send(url, `${CLUSTER}/default/jobs/large/pods?limit=1000`, "pods")),
    ],
    ["16 connections at full speed, no token", () => atFullSpeed(16, () => send(url, "/v1/jobs"))],
    ["71 tabs at full speed", () => atFullSpeed(71, () => send(url, "/v1/jobs?limit=100", "pods"))],
  ];
  const measures: Measure[] = [];
  for (const [name, begin] of attacks) {
    if (isWanted(name)) measures.push(...(await measured({ worker, url }, name, begin)));
  }
  if (isWanted(FLOOD)) measures.push(...(await flooded({ worker, url })));
  post(worker, "stop");
  report(measures);
  process.exit(0);
}

interface Server {
  readonly worker: Worker;
  readonly url: string;
}

async function flooded(server: Server): Promise<readonly Measure[]> {
  const flooding = new Worker(new URL("./attacks/flooding-api-server.ts", import.meta.url));
  const kubeconfig = await new Promise<string>((resolve) => flooding.once("message", resolve));
  post(server.worker, { watch: kubeconfig });
  const measures = await measured(server, FLOOD, () => wait(15_000));
  await flooding.terminate();
  rmSync(dirname(kubeconfig), { recursive: true });
  return measures;
}

/** Latencies of another reader, and delays of the server's event loop, while the attack runs; at most 15 s. */
async function measured(server: Server, name: string, begin: () => Promise<void>): Promise<readonly Measure[]> {
  await loopDelay(server);
  const attacking = { isOver: false };
  const attack = begin().finally(() => (attacking.isOver = true));
  await wait(200);
  const times: number[] = [];
  const until = performance.now() + 15_000;
  while (performance.now() < until && (!attacking.isOver || times.length < 100)) {
    const from = performance.now();
    const status = await send(server.url, "/v1/jobs?limit=5", OTHER);
    times.push(performance.now() - from);
    if (status !== 200) throw new Error(`The other reader got ${status}.`);
    await wait(20);
  }
  const [delay, longest, computing] = await loopDelay(server);
  await Promise.race([attack, wait(60_000)]);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return [
    { name: `${name}: other readers, p50`, value: at(0.5), unit: "ms" },
    { name: `${name}: other readers, p99`, value: at(0.99), unit: "ms", goal: "<= 200" },
    { name: `${name}: delay of the event loop, p99`, value: delay, unit: "ms" },
    { name: `${name}: delay of the event loop, longest`, value: longest, unit: "ms" },
    { name: `${name}: longest turn of the event loop, own CPU time`, value: computing, unit: "ms" },
  ];
}

/** The delays of the server's event loop since the last call. */
function loopDelay({ worker }: Server): Promise<readonly [p99: number, longest: number, computing: number]> {
  return new Promise((resolve) => {
    worker.once("message", resolve);
    post(worker, "delay");
  });
}

async function perSecond(rate: number, once: () => Promise<unknown>): Promise<void> {
  const running: Promise<unknown>[] = [];
  for (let sent = 0; sent < rate * 5; sent += 1) {
    running.push(once());
    await wait(1_000 / rate);
  }
  await Promise.all(running);
}

/** Each loop sends its next request when it has the answer. */
async function atFullSpeed(loops: number, once: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + FULL_SPEED_MILLIS;
  await atOnce(loops, async () => {
    while (performance.now() < until) await once();
  });
}

async function atOnce(count: number, once: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => once(index)));
}

function send(url: string, path: string, token?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = httpRequest(`${url}${path}`, { headers, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Opens a stream, and closes it when it has caught up or after 10 s. */
function stream(url: string, token: string, second = 0): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    const path = `/v1/changes?since=${new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString()}`;
    const sent = httpRequest(`${url}${path}`, { headers, agent: false }, (response) => {
      response.resume();
      setTimeout(() => {
        response.destroy();
        resolve();
      }, 10_000);
    });
    sent.on("error", reject);
    sent.end();
  });
}

if (isMainThread) await attack();
else await serve();
