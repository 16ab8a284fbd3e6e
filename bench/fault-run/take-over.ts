// How long does it take until the other replica sends after the leader was killed (-9)? On a real control plane, like
// bench/fault-run/fault-run.ts:
// node bench/fault-run/take-over.ts --tools <folder of cluster.mjs> --dir <its binaries> [--kills 5] [--seed 1]
//   [--port 19200]
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiClient } from "./api-client.ts";
import { ControlPlane } from "./control-plane.ts";
import { EtcdOracle } from "./etcd-oracle.ts";
import { bindExporterRole } from "./exporter-role.ts";
import { exporterOf } from "./exporter-of.ts";
import { pause } from "./faults.ts";
import { JobLoad } from "./job-load.ts";
import { judgeDelivery } from "./judge-delivery.ts";
import { seededRandom } from "./seeded-random.ts";
import { quiet } from "./quiet.ts";
import { SmallKubelet } from "./small-kubelet.ts";
import { SmallSqs } from "../../test/support/aws/small-sqs.ts";
import { report } from "../measuring/measure.ts";

const { values } = parseArgs({
  options: {
    tools: { type: "string", default: "" },
    dir: { type: "string", default: "" },
    kills: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    port: { type: "string", default: "19200" },
    output: { type: "string" },
  },
});
const NAMESPACE = "faults";
const name = `take-over-${values.port}`;
const scratch = join(tmpdir(), `outlive-${name}`);
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const plane = new ControlPlane({ ...values, name, release: "current", port: Number(values.port) });
plane.start();
const admin = apiClient(plane.kubeconfig("admin"));
const sqs = new SmallSqs();
const queue = await sqs.start();
const oracle = new EtcdOracle(plane.etcdUrl);
const kubelet = new SmallKubelet(apiClient(plane.kubeconfig("kubelet")), NAMESPACE);
const load = new JobLoad(admin, NAMESPACE, seededRandom(Number(values.seed)));
const place = { queue, namespace: NAMESPACE, kubeconfig: plane.kubeconfig("exporter"), scratch };
const [a, b] = [exporterOf("a", place), exporterOf("b", place)];
const waits: number[] = [];

try {
  await admin("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  await bindExporterRole(admin, NAMESPACE);
  oracle.start(1);
  await kubelet.start();
  a.start();
  await sqs.until(() => sqs.taken.length > 0);
  b.start();
  await pause(5000);
  load.start();
  for (
    let kill = 0, [leader, other] = [a, b];
    kill < Number(values.kills);
    kill += 1, [leader, other] = [other, leader]
  ) {
    await pause(8000);
    leader.kill();
    await pause(100);
    const [before, killedAt] = [sqs.taken.length, Date.now()];
    await sqs.until(() => sqs.taken.length > before);
    waits.push((Date.now() - killedAt) / 1000);
    leader.start();
  }
  load.stop();
  await quiet(() => oracle.events.length, 10_000, 60_000);
  kubelet.stop();
  await quiet(() => oracle.events.length + sqs.taken.length, 20_000, 90_000);
  const until = Date.now() - 5000;
  await Promise.all([a.end(), b.end()]);
  const { lost, double, gaps } = await judgeDelivery(
    oracle.events,
    sqs.taken.map(({ body }) => body),
    { secrets: [], until },
  );
  report([
    { name: "take-over after kill -9 of the leader, longest", value: Math.max(...waits), unit: "s", goal: "<= 15" },
    { name: "take-over, shortest", value: Math.min(...waits), unit: "s" },
    {
      name: "facts lost, told twice or within gaps",
      value: lost.length + double.length + gaps,
      unit: "facts",
      goal: "<= 0",
    },
  ]);
} finally {
  load.stop();
  kubelet.stop();
  oracle.stop();
  for (const exporter of [a, b]) exporter.kill();
  sqs.stop();
  plane.stop();
}
process.exit();
