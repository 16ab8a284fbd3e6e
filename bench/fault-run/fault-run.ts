// Are facts lost, invented or delivered twice while all processes are killed? One seeded run on a real control plane:
// node bench/fault-run/fault-run.ts --tools <folder of cluster.mjs> --dir <its binaries> [--seed 1] [--minutes 15]
//   [--port 19200] [--name faults-1] [--release current|old] [--tracker]
// With --tracker, the exporters ask a tracker which objects were alive before a gap.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiClient } from "./api-client.ts";
import { bindExporterRole } from "./exporter-role.ts";
import { ControlPlane } from "./control-plane.ts";
import { EtcdOracle } from "./etcd-oracle.ts";
import { exporterOf } from "./exporter-of.ts";
import { pause, playFaults } from "./faults.ts";
import { quiet } from "./quiet.ts";
import { JobLoad, SECRETS } from "./job-load.ts";
import { judgeDelivery } from "./judge-delivery.ts";
import { controlPlanePart } from "./killable.ts";
import { seededRandom } from "./seeded-random.ts";
import { SmallKubelet } from "./small-kubelet.ts";
import { SmallTracker } from "./small-tracker.ts";
import { SmallSqs } from "../../test/support/aws/small-sqs.ts";

const { values } = parseArgs({
  options: {
    tools: { type: "string" },
    dir: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "15" },
    port: { type: "string", default: "19200" },
    name: { type: "string" },
    release: { type: "string", default: "current" },
    tracker: { type: "boolean", default: false },
  },
});
const { tools = "", dir = "", release } = values;
const seed = Number(values.seed);
const minutes = Number(values.minutes);
const port = Number(values.port);
const name = values.name ?? `faults-${seed}`;
const scratch = join(tmpdir(), `outlive-${name}`);
const NAMESPACE = "faults";

rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const plane = new ControlPlane({ tools, dir, name, release, port });
plane.start();
const admin = apiClient(plane.kubeconfig("admin"));
const sqs = new SmallSqs();
const queue = await sqs.start();
const { etcdUrl } = plane;
const oracle = new EtcdOracle(etcdUrl);
const kubelet = new SmallKubelet(apiClient(plane.kubeconfig("kubelet")), NAMESPACE);
const random = seededRandom(seed);
const load = new JobLoad(admin, NAMESPACE, seededRandom(seed + 1_000_000));
const tracker = values.tracker
  ? await SmallTracker.start({ database: join(scratch, "tracker.sqlite"), cluster: "faults", sqs })
  : undefined;
const place = {
  queue,
  namespace: NAMESPACE,
  kubeconfig: plane.kubeconfig("exporter"),
  scratch,
  ...(tracker !== undefined && { tracker: tracker.url }),
};
const exporters = [exporterOf("a", place), exporterOf("b", place)] as const;
const apiServer = controlPlanePart(plane.home, "kube-apiserver");
const etcd = controlPlanePart(plane.home, "etcd");
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
  const until = await settle();
  const judgement = await judgeDelivery(
    oracle.events,
    sqs.taken.map(({ body }) => body),
    { secrets: Object.values(SECRETS), until },
  );
  const { lost, invented, double, unflagged, ...figures } = judgement;
  const counts = { lost: lost.length, invented: invented.length, double: double.length, unflagged: unflagged.length };
  console.log(
    JSON.stringify({
      seed,
      release,
      minutes,
      tracker: values.tracker,
      faults: count,
      made: load.made,
      trueEvents: oracle.events.length,
      ...figures,
      ...counts,
    }),
  );
  writeFileSync(join(scratch, "report.json"), JSON.stringify({ seed, until, faults, ...judgement }, undefined, 1));
  // The input of the judge, so that the run can be judged again.
  writeFileSync(join(scratch, "evidence.json"), JSON.stringify({ until, events: oracle.events, taken: sqs.taken }));
  process.exitCode = Math.min(
    1,
    lost.length + invented.length + double.length + unflagged.length + judgement.leaked.length,
  );
} finally {
  load.stop();
  kubelet.stop();
  oracle.stop();
  for (const exporter of exporters) exporter.kill();
  await tracker?.stop();
  sqs.stop();
  for (const part of [etcd, apiServer]) part.thaw();
  plane.stop();
}
// Connections to stopped processes may still be closing.
process.exit();

/** Changes before the first watch are not losses: the first segment states that both Jobs and Pods are watched. */
async function watched(): Promise<void> {
  while (sqs.taken.length === 0) await pause(100);
  await pause(3000);
}

/**
 * Runs everything again without new Jobs until the cluster and the queue are quiet and all waiting segments were sent.
 * Then the exporters stop, and one starts again: it must report the changes since their position. Returns the time
 * until which all changes must have been delivered.
 */
async function settle(): Promise<number> {
  load.stop();
  for (const part of [etcd, apiServer, ...exporters]) {
    part.thaw();
    part.start();
  }
  await answering();
  await quiet(() => oracle.events.length, 15_000, 60_000);
  kubelet.stop();
  await quiet(() => oracle.events.length + sqs.taken.length, 25_000, 120_000);
  for (const exporter of exporters) await exporter.end();
  const until = Date.now();
  const [successor] = exporters;
  const before = sqs.taken.length;
  successor.start();
  // The exporter sends at least a heartbeat. On a busy machine it starts slowly, and it may wait for the Lease.
  await Promise.race([sqs.until(() => sqs.taken.length > before), pause(120_000)]);
  await quiet(() => sqs.taken.length, 15_000, 60_000);
  await successor.end();
  return until;
}

/**
 * A killed API server may need minutes to answer again (observed with 1.24 on a busy machine). Without it, no exporter
 * can observe anything.
 */
async function answering(): Promise<void> {
  for (const end = Date.now() + 300_000; Date.now() < end; await pause(500)) {
    if ((await admin("GET", "/readyz")).status === 200) return;
  }
  throw new Error("The API server is still unavailable after the fault has ended.");
}
