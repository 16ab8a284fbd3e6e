import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Child } from "../fault-run/killable.ts";
import { ClockFile } from "./clock-file.ts";
import { MessageShelf } from "./message-shelf.ts";
import { SmallDisk } from "./small-disk.ts";
import { until } from "./until.ts";
import { throughProxy, type Tracker } from "./world.ts";

export interface OneProcessOptions {
  readonly scratch: string;
  readonly kubeconfig: string;
  readonly apiServerPort: number;
  readonly port: number;
  /** The cluster's name for the exporters. `serve` itself watches it as "direct". */
  readonly cluster: string;
}

const ROOT = join(import.meta.dirname, "../..");
const DATABASE_MEGABYTES = 256;
const DIRECT = "direct";

/**
 * `outlive serve` watches the cluster into a database file and answers. Beside it, a consumer takes the exporters'
 * messages into the same file, under another cluster name. Both answers are compared with the same truth.
 */
export async function openOneProcess(options: OneProcessOptions): Promise<Tracker> {
  const { scratch, port, cluster } = options;
  const disk = new SmallDisk(join(scratch, "database"), DATABASE_MEGABYTES);
  const database = join(disk.path, "outlive.sqlite");
  const shelf = new MessageShelf();
  const shelfUrl = await shelf.start();
  const kubeconfig = join(scratch, "serve.kubeconfig");
  const network = await throughProxy(options.kubeconfig, options.apiServerPort, kubeconfig);
  const serving = [join(ROOT, "cli/main.ts"), "serve", "--database", database, "--listen", `127.0.0.1:${port}`];
  const consuming = [join(import.meta.dirname, "consume-queue.ts"), shelfUrl, database, cluster];
  const serve = program(scratch, "serve", [...serving, "--kubeconfig", kubeconfig, "--cluster", DIRECT]);
  // Without its watch: heartbeats would end a silence.
  const silent = program(scratch, "serve", serving);
  const consumer = program(scratch, "consumer", consuming);
  return {
    api: `http://127.0.0.1:${port}`,
    clusters: [cluster, DIRECT],
    processes: new Map([serve, consumer].map(({ child }) => [child.name, child])),
    disks: new Map([["database", disk]]),
    clocks: new Map([serve, consumer].map(({ child, clock }) => [child.name, clock])),
    networks: new Map([["serve to API server", network]]),
    sink: async (bodies) => shelf.put(bodies),
    start: () => [serve, consumer].forEach(({ child }) => child.start()),
    settle: () => until("the consumer has taken all messages", async () => shelf.size === 0),
    leap: async (byMillis) => {
      for (const { child } of [serve, consumer]) await child.end();
      silent.clock.jump(byMillis);
      silent.child.start();
    },
    verify: async () => {
      await silent.child.end();
      silent.clock.reset();
      return problemsOf(["verify", "--database", database]);
    },
    stop: () => {
      for (const { child } of [serve, silent, consumer]) child.kill();
      for (const part of [network, shelf]) part.stop();
      disk.unmount();
    },
  };
}

interface Program {
  readonly child: Child;
  readonly clock: ClockFile;
}

function program(scratch: string, name: "serve" | "consumer", args: readonly string[]): Program {
  const clock = new ClockFile(join(scratch, `${name}.clock`));
  const log = join(scratch, `${name}.log`);
  return { child: new Child({ name, args, env: { NODE_OPTIONS: clock.nodeOptions }, log }), clock };
}

/** The lines of a command that fails; none if it succeeds. */
async function problemsOf(args: readonly string[]): Promise<readonly string[]> {
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/main.ts"), ...args], { env: {} });
    return [];
  } catch (cause) {
    if (cause instanceof Error && "stderr" in cause) return String(cause.stderr).trim().split("\n");
    throw cause;
  }
}
