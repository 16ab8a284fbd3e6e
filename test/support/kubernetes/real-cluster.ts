import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { skipWithout } from "../running/skip-without.ts";

/** The program that builds and runs control planes. Building takes minutes; the binaries are kept in a cache folder. */
const TOOLS = join(import.meta.dirname, "../../../../shared/tools/cluster");
const run = promisify(execFile);

/** The launcher knows the first two. `newest` is built by tools/build-control-plane.ts. */
export type Release = "old" | "current" | "newest";

/** The name under which the launcher starts a release. */
function launchedAs(release: Release): "old" | "current" {
  return release === "newest" ? "current" : release;
}

/** The folder of the built control planes. If there are none, their tests are skipped. */
export function findControlPlanes(release: Release): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- settings of the machine that runs the tests
  const environment = process.env;
  const cache = environment["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const all = environment["OUTLIVE_CLUSTER_HOME"] ?? join(cache, "outlive-cluster");
  const home = release === "newest" ? join(all, "newest") : all;
  const missing = [join(TOOLS, "cluster.mjs"), join(home, "bin", launchedAs(release), "kube-apiserver")].find(
    (file) => !existsSync(file),
  );
  if (missing === undefined) return home;
  skipWithout(false, {
    dependency: `Kubernetes control plane (${release})`,
    untested: "capture from a real control plane",
    reason: `${missing} does not exist; "${builtBy(release)}" builds it into OUTLIVE_CLUSTER_HOME`,
    mustRun: environment["OUTLIVE_CLUSTER_TESTS"] === "1",
  });
  return undefined;
}

function builtBy(release: Release): string {
  return release === "newest" ? "npm run build:control-plane" : `node cluster.mjs build ${release}`;
}

/** Where each release has its ports: four each, outside the ranges of the tools and of the system. */
const PORTS = { current: 0, old: 4, newest: 8 } as const satisfies Record<Release, number>;

/**
 * etcd, API server and controllers of one Kubernetes release, and a stand-in for kubelets that plays Pods by script.
 */
export class RealCluster {
  readonly #release: Release;
  readonly #home: string;
  readonly #name: string;
  readonly #port: number;
  readonly #options: readonly string[];
  readonly folder = mkdtempSync(join(tmpdir(), "outlive-cluster-"));
  #kubelet: ChildProcess | undefined;

  private constructor(release: Release, home: string, options: readonly string[]) {
    this.#release = release;
    this.#options = options;
    this.#home = home;
    this.#name = `test-${release}-${process.pid}`;
    this.#port = 20_000 + (process.pid % 1000) * 12 + PORTS[release];
  }

  /** `options`: those of the launcher, such as `--apiserver-arg=--feature-gates=...`. */
  static async start(release: Release, home: string, options: readonly string[] = []): Promise<RealCluster> {
    const cluster = new RealCluster(release, home, options);
    await cluster.#control("start", ...options);
    const log = join(cluster.folder, "truth.ndjson");
    const kubelet = [join(TOOLS, "kubelet.mjs"), "--kubeconfig", cluster.#file("kubelet.kubeconfig"), "--log", log];
    cluster.#kubelet = spawn(process.execPath, kubelet, { stdio: "ignore" });
    return cluster;
  }

  get kubeconfig(): string {
    return this.#file("admin.kubeconfig");
  }

  /** Runs its kubectl as the administrator. Returns what it printed. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(this.#kubectl, ["--kubeconfig", this.kubeconfig, ...args]);
    return stdout;
  }

  get #kubectl(): string {
    return join(this.#home, "bin", launchedAs(this.#release), "kubectl");
  }

  /** Plays a scenario of the tools, and returns the recording of their recorder. */
  async play(scenario: string): Promise<string> {
    const truth = join(this.folder, "truth.ndjson");
    const options = ["--home", this.#file(""), "--truth", truth, "--out", this.folder, "--kubectl", this.#kubectl];
    await run(process.execPath, [join(TOOLS, "play.mjs"), ...options, join(TOOLS, "scenarios.mjs"), scenario]);
    return join(this.folder, `${scenario}.ndjson`);
  }

  /** Sends a signal to one of its processes. */
  signal(process_: "etcd" | "kube-apiserver", name: NodeJS.Signals): void {
    process.kill(Number(readFileSync(this.#file(`${process_}.pid`), "utf8")), name);
  }

  /** Restarts stopped processes with their data. */
  async startAgain(): Promise<void> {
    await this.#control("start", "--keep", ...this.#options);
  }

  /** Compacts etcd to the latest revision. */
  async compact(): Promise<void> {
    const etcd = `http://127.0.0.1:${this.#port + 1}/v3/kv`;
    const range = await fetch(`${etcd}/range`, { method: "POST", body: JSON.stringify({ key: "AA==" }) });
    const { header } = (await range.json()) as { readonly header: { readonly revision: string } };
    const body = JSON.stringify({ revision: header.revision, physical: true });
    await fetch(`${etcd}/compaction`, { method: "POST", body });
  }

  async stop(): Promise<void> {
    if (this.#kubelet !== undefined) {
      const ended = once(this.#kubelet, "exit");
      this.#kubelet.kill();
      await ended;
    }
    await this.#control("stop");
    rmSync(this.#file(""), { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #control(verb: "start" | "stop", ...more: readonly string[]): Promise<void> {
    const place = ["--dir", this.#home, "--name", this.#name, "--port", String(this.#port)];
    await run(process.execPath, [join(TOOLS, "cluster.mjs"), verb, launchedAs(this.#release), ...place, ...more]);
  }

  #file(name: string): string {
    return join(this.#home, "run", this.#name, name);
  }
}
