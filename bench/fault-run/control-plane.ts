import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

export interface ControlPlaneOptions {
  /** The folder of cluster.mjs, which starts real control planes without containers. */
  readonly tools: string;
  /** The folder of its binaries. */
  readonly dir: string;
  readonly name: string;
  readonly release: string;
  readonly port: number;
}

/** etcd, API server and controllers of a real cluster, which stores JSON so that the oracle can read it. */
export class ControlPlane {
  readonly home: string;
  readonly #options: ControlPlaneOptions;

  constructor(options: ControlPlaneOptions) {
    if (options.tools === "" || options.dir === "") {
      throw new Error("Say with --tools where cluster.mjs is, and with --dir where it built its binaries.");
    }
    this.#options = options;
    this.home = join(options.dir, "run", options.name);
  }

  get etcdUrl(): string {
    return `http://127.0.0.1:${this.#options.port + 1}`;
  }

  kubeconfig(user: "admin" | "kubelet" | "exporter"): string {
    return join(this.home, `${user}.kubeconfig`);
  }

  start(): void {
    try {
      this.#begin();
    } catch (cause) {
      // Remaining processes would prevent the next start.
      this.stop();
      throw new Error("The control plane did not come up.", { cause });
    }
  }

  #begin(): void {
    this.#run(
      "start",
      "--no-audit",
      "--apiserver-arg=--storage-media-type=application/json",
      // Nodes have no heartbeat here.
      "--controller-arg=--node-monitor-grace-period=24h",
      "--controller-arg=--kube-api-qps=100",
      "--controller-arg=--kube-api-burst=200",
    );
  }

  /** Stops it and deletes its data. */
  stop(): void {
    this.#run("stop");
    rmSync(this.home, { recursive: true, force: true });
  }

  #run(verb: "start" | "stop", ...more: readonly string[]): void {
    const { tools, dir, name, release, port } = this.#options;
    execFileSync(
      process.execPath,
      [join(tools, "cluster.mjs"), verb, release, "--dir", dir, "--name", name, "--port", String(port), ...more],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
  }
}
