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
  const clocks = { serve: new ClockFile(join(scratch, "serve.clock")), consumer: clockOfConsumer(scratch) };
  const listen = ["--listen", `127.0.0.1:${port}`];
  const program = (name: "serve" | "consumer", args: readonly string[]) =>
    new Child({ name, args, env: { NODE_OPTIONS: clocks[name].nodeOptions }, log: join(scratch, `${name}.log`) });
  const serving = [join(ROOT, "cli/main.ts"), "serve", "--database", database, ...listen];
  const serve = program("serve", [...serving, "--kubeconfig", kubeconfig, "--cluster", DIRECT]);
  const silent = program("serve", serving);
  const consumer = program("consumer", [join(import.meta.dirname, "consume-queue.ts"), shelfUrl, database, cluster]);
  const children = [serve, consumer];
  return {
    api: `http://127.0.0.1:${port}`,
    clusters: [cluster, DIRECT],
    processes: new Map(children.map((child) => [child.name, child])),
    disks: new Map([["database", disk]]),
    clocks: new Map(Object.entries(clocks)),
    networks: new Map([["serve to API server", network]]),
    sink: async (bodies) => shelf.put(bodies),
    start: () => children.forEach((child) => child.start()),
    settle: () => until("the consumer has taken all messages", async () => shelf.size === 0),
    leap: async (byMillis) => {
      // Without its watch: heartbeats would end the silence.
      for (const child of children) await child.end();
      clocks.serve.jump(byMillis);
      silent.start();
    },
    verify: async () => {
      await silent.end();
      clocks.serve.reset();
      return problemsOf(["verify", "--database", database]);
    },
    stop: () => {
      for (const child of [...children, silent]) child.kill();
      network.stop();
      shelf.stop();
      disk.unmount();
    },
  };
}

function clockOfConsumer(scratch: string): ClockFile {
  return new ClockFile(join(scratch, "consumer.clock"));
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
