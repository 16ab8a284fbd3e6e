import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf, textOf } from "../../src/kubernetes/json/json-field.ts";
import { type ApiClient, apiClient } from "../fault-run/api-client.ts";
import type { ControlPlane } from "../fault-run/control-plane.ts";
import { EtcdOracle } from "../fault-run/etcd-oracle.ts";
import { exporterOf } from "../fault-run/exporter-of.ts";
import { bindExporterRole } from "../fault-run/exporter-role.ts";
import { judgeDelivery } from "../fault-run/judge-delivery.ts";
import { JobLoad } from "../fault-run/job-load.ts";
import { type Child, controlPlanePart, type Killable } from "../fault-run/killable.ts";
import { quiet } from "../fault-run/quiet.ts";
import { seededRandom } from "../fault-run/seeded-random.ts";
import { SmallKubelet } from "../fault-run/small-kubelet.ts";
import { ClockFile } from "./clock-file.ts";
import { FaultyQueue } from "./faulty-queue.ts";
import { inject } from "./inject.ts";
import { type Asked, Reader } from "./reader.ts";
import type { Fault } from "./schedule.ts";
import { SmallDisk } from "./small-disk.ts";
import type { TcpProxy } from "./tcp-proxy.ts";
import { StuckError } from "./until.ts";
import { throughProxy, type Tracker, type World } from "./world.ts";

const NAMESPACE = "faults";
const SPOOL_MEGABYTES = 16;
const READERS = 4;
/** The emulator needs most of a processor for a few questions. */
const READER_PAUSE_MILLIS = 150;
const SUPERVISOR_MILLIS = 1000;
/** How long an exporter may take to send the rest. */
const DELIVERY_MILLIS = 300_000;
const LEAST_DELIVERY_PAUSE_MILLIS = 2000;
/**
 * The judge stops this process, and with it the network between the parts: on a busy machine for longer than a lease
 * lasts. Between two judgements, the network works for this many times as long.
 */
const REST_PER_JUDGEMENT = 5;
/** Jobs that never end, for the check of stale answers. */
const OPEN_JOBS = 3;

export interface ChaosRunOptions {
  readonly seed: number;
  readonly scratch: string;
  readonly plane: ControlPlane;
  readonly apiServerPort: number;
  readonly tracker: Tracker;
}

/** The whole path of one run: cluster, exporters, queue, tracker and readers. */
export class ChaosRun {
  readonly oracle: EtcdOracle;
  readonly queue: FaultyQueue;
  readonly readers: readonly Reader[];
  notInjected = 0;
  readonly #options: ChaosRunOptions;
  readonly #admin: ApiClient;
  readonly #kubelet: SmallKubelet;
  readonly #load: JobLoad;
  /** Why not everything arrived, if so. */
  stuck: string | undefined;
  #exporters: readonly Child[] = [];
  #supervisor: NodeJS.Timeout | undefined;
  #spools: readonly SmallDisk[] = [];
  #world: World | undefined;

  constructor(options: ChaosRunOptions) {
    const { plane, seed, tracker } = options;
    this.#options = options;
    this.#admin = apiClient(plane.kubeconfig("admin"));
    this.oracle = new EtcdOracle(plane.etcdUrl);
    this.queue = new FaultyQueue(tracker.sink, seededRandom(seed + 2_000_000));
    this.#kubelet = new SmallKubelet(apiClient(plane.kubeconfig("kubelet")), NAMESPACE);
    this.#load = new JobLoad(this.#admin, NAMESPACE, seededRandom(seed + 1_000_000));
    const { api, clusters } = tracker;
    const jobs = knownJobs(this.oracle);
    this.readers = Array.from({ length: READERS }, (_, n) => {
      const random = seededRandom(seed + 3_000_000 + n);
      return new Reader({ api, clusters, jobs, random, pauseMillis: READER_PAUSE_MILLIS });
    });
  }

  /** Starts everything, and resolves when the tracker has heard of the cluster. */
  async start(): Promise<void> {
    const { tracker } = this.#options;
    await this.#admin("POST", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: NAMESPACE },
    });
    await bindExporterRole(this.#admin, NAMESPACE);
    this.oracle.start(1);
    await this.#kubelet.start();
    tracker.start();
    this.#world = await this.#assemble();
    while (this.queue.taken.length === 0) await pause(100);
    for (const cluster of tracker.clusters) await answers(`${tracker.api}/v1/jobs?cluster=${cluster}&limit=1`);
    await pause(5000);
    for (let n = 0; n < OPEN_JOBS; n += 1) await this.#createOpenJob(`open-${n}`);
    this.#load.start();
    for (const reader of this.readers) reader.start();
  }

  /** Injects the faults at their times, and resolves when the last one is repaired. */
  async play(faults: readonly Fault[], say: (line: string) => void): Promise<void> {
    const world = this.#world;
    if (world === undefined) return;
    const begin = Date.now();
    const repairs: Promise<void>[] = [];
    for (const fault of faults) {
      await pause(Math.max(0, begin + fault.atMillis - Date.now()));
      say(faultText(fault));
      repairs.push(this.#inject(world, fault));
    }
    await Promise.all(repairs);
  }

  /** Runs everything again until nothing changes any more. Returns when the last change had been delivered. */
  async settle(): Promise<number> {
    const { tracker } = this.#options;
    this.#load.stop();
    for (const process of this.#world?.processes.values() ?? []) process.thaw();
    while ((await this.#admin("GET", "/readyz")).status !== 200) await pause(500);
    await quiet(() => this.oracle.events.length, 6000, 45_000);
    this.#kubelet.stop();
    await quiet(() => this.oracle.events.length + this.queue.taken.length, 6000, 30_000);
    clearInterval(this.#supervisor);
    for (const exporter of this.#exporters) await exporter.end();
    const until = Date.now();
    await this.#sendRest(until);
    await this.queue.delivered();
    try {
      await tracker.settle();
    } catch (cause) {
      if (!(cause instanceof StuckError)) throw cause;
      this.stuck = cause.message;
    }
    for (const reader of this.readers) await reader.stop();
    return until;
  }

  /** Ends everything that this run started. */
  stop(): void {
    clearInterval(this.#supervisor);
    this.#load.stop();
    this.#kubelet.stop();
    this.oracle.stop();
    this.queue.stop();
    const { processes = new Map<string, Killable>(), networks = new Map<string, TcpProxy>() } = this.#world ?? {};
    for (const process of processes.values()) process.thaw();
    for (const exporter of this.#exporters) exporter.kill();
    for (const network of networks.values()) network.stop();
    for (const disk of this.#spools) disk.unmount();
  }

  /** An exporter that starts again must send what the last ones had not. On a busy machine it starts slowly. */
  async #sendRest(until: number): Promise<void> {
    const [successor] = this.#exporters;
    successor?.start();
    for (const end = Date.now() + DELIVERY_MILLIS; Date.now() < end;) {
      await quiet(() => this.queue.taken.length, 5000, 30_000);
      const begin = Date.now();
      const { lost } = await judgeDelivery(this.oracle.events, this.queue.taken, { secrets: [], until });
      if (lost.length === 0) break;
      await pause(Math.max(LEAST_DELIVERY_PAUSE_MILLIS, REST_PER_JUDGEMENT * (Date.now() - begin)));
    }
    await successor?.end();
  }

  async #inject(world: World, fault: Fault): Promise<void> {
    if (!(await inject(world, fault))) this.notInjected += 1;
  }

  async #assemble(): Promise<World> {
    const { scratch, plane, tracker, apiServerPort } = this.#options;
    const queueUrl = await this.queue.start();
    const networks = new Map(tracker.networks);
    const disks = new Map(tracker.disks);
    const clocks = new Map(tracker.clocks);
    const processes = new Map(tracker.processes);
    for (const replica of ["a", "b"]) {
      const name = `exporter ${replica}`;
      const kubeconfig = join(scratch, `exporter-${replica}.kubeconfig`);
      const clock = new ClockFile(join(scratch, `exporter-${replica}.clock`));
      networks.set(
        `${name} to API server`,
        await throughProxy(plane.kubeconfig("exporter"), apiServerPort, kubeconfig),
      );
      const spool = new SmallDisk(join(scratch, `spool-${replica}`), SPOOL_MEGABYTES);
      this.#spools = [...this.#spools, spool];
      disks.set(`spool ${replica}`, spool);
      clocks.set(name, clock);
      const [cluster = ""] = tracker.clusters;
      const place = { queue: queueUrl, cluster, namespace: NAMESPACE, kubeconfig, scratch, tracker: tracker.api };
      const exporter = exporterOf(replica, { ...place, environment: { NODE_OPTIONS: clock.nodeOptions } });
      processes.set(name, exporter);
      this.#exporters = [...this.#exporters, exporter];
    }
    processes.set("API server", controlPlanePart(plane.home, "kube-apiserver"));
    processes.set("etcd", controlPlanePart(plane.home, "etcd"));
    const { stores } = tracker;
    const { queue, oracle } = this;
    const down = new Set<string>();
    this.#supervisor = setInterval(() => startEnded(processes, down), SUPERVISOR_MILLIS);
    const parts = { processes, disks, clocks, networks, queue, oracle, down, etcdUrl: plane.etcdUrl };
    return { ...parts, ...(stores !== undefined && { stores }) };
  }

  async #createOpenJob(name: string): Promise<void> {
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work:1" }] } };
    // Without labels, the API server shows some that etcd does not have.
    const metadata = { name, labels: { app: "open" } };
    const job = { apiVersion: "batch/v1", kind: "Job", metadata, spec: { suspend: true, template } };
    await this.#admin("POST", `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`, job);
  }
}

/** The Jobs that were ever created, from etcd. */
function knownJobs({ events }: EtcdOracle): () => readonly Asked[] {
  const jobs: Asked[] = [];
  let read = 0;
  return () => {
    for (; read < events.length; read += 1) {
      const event = events[read];
      if (event?.resource !== "jobs" || event.type !== "ADDED") continue;
      const metadata = fieldsOf(fieldsOf(event.object)["metadata"]);
      const [namespace = "", name = "", uid = ""] = ["namespace", "name", "uid"].map((field) =>
        textOf(metadata[field]),
      );
      jobs.push({ namespace, name, uid });
    }
    return jobs;
  };
}

/** Resolves when the API answers. */
async function answers(url: string): Promise<void> {
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
    }
    await pause(200);
  }
}

/** An API server ends by itself if it finds no etcd. As in a cluster, it is started again. */
function startEnded(processes: World["processes"], down: ReadonlySet<string>): void {
  for (const [name, process] of processes) if (!down.has(name) && !process.isRunning()) process.start();
}

function faultText({ kind, target, forMillis, byMillis }: Fault): string {
  return `${kind}: ${target}, ${forMillis} ms${byMillis === undefined ? "" : `, by ${byMillis} ms`}`;
}
