// Is anything lost, invented or told twice while everything is killed? One seeded run on a real control plane:
// node bench/fault-run.ts --tools <folder of cluster.mjs> --dir <its binaries> [--seed 1] [--minutes 15] [--port 19200] [--name faults-1] [--keep]
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiClient } from "./fault-run/api-client.ts";
import { bindExporterRole } from "./fault-run/exporter-role.ts";
import { EtcdOracle } from "./fault-run/etcd-oracle.ts";
import { pause, playFaults } from "./fault-run/faults.ts";
import { JobLoad, SECRETS } from "./fault-run/job-load.ts";
import { judgeDelivery } from "./fault-run/judge-delivery.ts";
import { Child, controlPlanePart } from "./fault-run/killable.ts";
import { seededRandom } from "./fault-run/seeded-random.ts";
import { SmallKubelet } from "./fault-run/small-kubelet.ts";
import { SmallSqs } from "../test/support/small-sqs.ts";

const { values } = parseArgs({
  options: {
    tools: { type: "string" },
    dir: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "15" },
    port: { type: "string", default: "19200" },
    name: { type: "string" },
    release: { type: "string", default: "current" },
    keep: { type: "boolean", default: false },
  },
});
const { tools, dir, release } = values;
if (tools === undefined || dir === undefined) {
  throw new Error("Say with --tools where cluster.mjs is, and with --dir where it built its binaries.");
}
const seed = Number(values.seed);
const minutes = Number(values.minutes);
const port = Number(values.port);
const name = values.name ?? `faults-${seed}`;
const home = join(dir, "run", name);
const scratch = join(tmpdir(), `outlive-${name}`);
const NAMESPACE = "faults";

const cluster = (verb: "start" | "stop", ...more: readonly string[]) =>
  execFileSync(
    process.execPath,
    [join(tools, "cluster.mjs"), verb, release, "--dir", dir, "--name", name, "--port", String(port), ...more],
    { stdio: ["ignore", "ignore", "inherit"] },
  );

rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
cluster(
  "start",
  "--no-audit",
  "--apiserver-arg=--storage-media-type=application/json",
  // Nodes here have no heartbeat.
  "--controller-arg=--node-monitor-grace-period=24h",
  "--controller-arg=--kube-api-qps=100",
  "--controller-arg=--kube-api-burst=200",
);
const admin = apiClient(join(home, "admin.kubeconfig"));
const sqs = new SmallSqs();
const queue = await sqs.start();
const etcdUrl = `http://127.0.0.1:${port + 1}`;
const oracle = new EtcdOracle(etcdUrl);
const kubelet = new SmallKubelet(apiClient(join(home, "kubelet.kubeconfig")), NAMESPACE);
const random = seededRandom(seed);
const load = new JobLoad(admin, NAMESPACE, seededRandom(seed + 1_000_000));
const exporterOf = (replica: string) =>
  new Child({
    name: `exporter ${replica}`,
    log: join(scratch, `exporter-${replica}.log`),
    args: [
      join(import.meta.dirname, "..", "exporter", "main.ts"),
      `--queue=${queue}/000000000000/outlive`,
      "--cluster=faults",
      `--lease=${NAMESPACE}/outlive-exporter`,
      `--kubeconfig=${join(home, "exporter.kubeconfig")}`,
      `--spool=${join(scratch, `spool-${replica}`)}`,
    ],
    env: {
      // The whole environment of the exporter: nothing of this process's own credentials is passed on.
      AWS_ENDPOINT_URL: queue,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
    },
  });
const exporters = [exporterOf("a"), exporterOf("b")] as const;
const apiServer = controlPlanePart(home, "kube-apiserver");
const etcd = controlPlanePart(home, "etcd");
const faults: string[] = [];
const startedAt = Date.now();

try {
  await admin("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  await bindExporterRole(admin, NAMESPACE);
  oracle.start(1);
  await kubelet.start();
  for (const exporter of exporters) exporter.start();
  await watched();
  load.start();
  const count = await playFaults(
    { exporters, apiServer, etcd, etcdUrl, oracle, sqs },
    {
      random,
      scale: Math.min(1, minutes / 15),
      until: startedAt + minutes * 60_000,
      say: (fault) => faults.push(`${Math.round((Date.now() - startedAt) / 1000)} s: ${fault}`),
    },
  );
  await settle();
  const judgement = await judgeDelivery(
    oracle.events,
    sqs.taken.map(({ body }) => body),
    Object.values(SECRETS),
  );
  const { lost, invented, double, unflagged, ...figures } = judgement;
  const counts = { lost: lost.length, invented: invented.length, double: double.length, unflagged: unflagged.length };
  console.log(
    JSON.stringify({
      seed,
      release,
      minutes,
      faults: count,
      made: load.made,
      trueEvents: oracle.events.length,
      ...figures,
      ...counts,
    }),
  );
  writeFileSync(join(scratch, "report.json"), JSON.stringify({ seed, faults, ...judgement }, undefined, 1));
  process.exitCode = Math.min(
    1,
    lost.length + invented.length + double.length + unflagged.length + judgement.leaked.length,
  );
} finally {
  load.stop();
  kubelet.stop();
  oracle.stop();
  for (const exporter of exporters) exporter.kill();
  sqs.stop();
  for (const part of [etcd, apiServer]) part.thaw();
  cluster("stop");
  if (!values.keep) rmSync(home, { recursive: true, force: true });
}
// Connections to what was stopped may still be closing.
process.exit();

/** What was there before anybody watched is no loss: the first segment tells that both Jobs and Pods are watched. */
async function watched(): Promise<void> {
  while (sqs.taken.length === 0) await pause(100);
  await pause(3000);
}

/** Everything runs again, no new Jobs: until the cluster and the queue are quiet, and what waits was sent. */
async function settle(): Promise<void> {
  load.stop();
  for (const part of [etcd, apiServer, ...exporters]) {
    part.thaw();
    part.start();
  }
  await quiet(() => oracle.events.length, 15_000, 60_000);
  kubelet.stop();
  await quiet(() => oracle.events.length + sqs.taken.length, 25_000, 120_000);
  for (const exporter of exporters) await exporter.end();
}

async function quiet(count: () => number, millis: number, most: number): Promise<void> {
  const end = Date.now() + most;
  let before = count();
  let since = Date.now();
  while (Date.now() - since < millis && Date.now() < end) {
    await pause(500);
    if (count() === before) continue;
    before = count();
    since = Date.now();
  }
}
