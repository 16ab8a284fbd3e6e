// How long does it take from a change at the API server until the queue accepts its segment? The exporter is its own
// process, as in its container. API server and queue are small real HTTP servers in this process.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { decodeSegment } from "../src/segment/decode-segment.ts";
import { decodeMessageBody } from "../src/adapters/sqs/message-body.ts";
import { FakeApiServer } from "../test/support/kubernetes/fake-api-server.ts";
import { ManualClock } from "../test/support/running/manual-clock.ts";
import { SmallSqs } from "../test/support/aws/small-sqs.ts";
import { jobObject, podObject } from "../test/support/kubernetes/watch-objects.ts";
import { type Measure, report } from "./measuring/measure.ts";

const PODS = 500;
const SECONDS = 20;
const TICK_MILLIS = 10;

interface Goal {
  readonly rate: number;
  readonly p50?: string;
  readonly p99: string;
}

const GOALS: readonly Goal[] = [
  { rate: 100, p50: "<= 300", p99: "<= 1000" },
  { rate: 2000, p99: "<= 2000" },
];

const measures: Measure[] = [];
for (const goal of GOALS) measures.push(...(await measureAt(goal)));
report(measures);

async function measureAt({ rate, p50, p99 }: Goal): Promise<readonly Measure[]> {
  const server = await FakeApiServer.open({ clock: new ManualClock(Date.now()) });
  const sqs = new SmallSqs();
  const queue = await sqs.start();
  server.put("jobs", jobObject());
  for (let pod = 0; pod < PODS; pod += 1) server.put("pods", podAt(pod, 0));
  const args = [`--queue=${queue}/000000000000/outlive`, `--kubeconfig=${server.kubeconfig()}`];
  const exporter = spawn(process.execPath, [join(import.meta.dirname, "../cli/outlive.js"), "export", ...args], {
    env: { AWS_ENDPOINT_URL: queue, AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" },
    stdio: "ignore",
  });
  try {
    await sqs.until(() => sqs.taken.length > 0);
    await pause(2000);
    const before = sqs.taken.length;
    const happened = await happen(server, rate);
    await pause(3000);
    const waits = sqs.taken
      .slice(before)
      .flatMap(({ body, at }) => versionsIn(body).map((version) => at - (happened.get(version) ?? at)));
    waits.sort((a, b) => a - b);
    const name = `${rate} changes/s: change to segment accepted`;
    return [
      { name: `${name}, p50`, value: quantile(waits, 0.5), unit: "ms", ...(p50 !== undefined && { goal: p50 }) },
      { name: `${name}, p99`, value: quantile(waits, 0.99), unit: "ms", goal: p99 },
      { name: `${rate} changes/s: changes told`, value: waits.length / happened.size, unit: "of 1", goal: ">= 1" },
    ];
  } finally {
    exporter.kill("SIGKILL");
    sqs.stop();
    await server.close();
    rmSync(server.folder, { recursive: true, force: true });
  }
}

/** Changes Pods at a steady rate. Returns the wall-clock time of each resourceVersion. */
async function happen(server: FakeApiServer, rate: number): Promise<ReadonlyMap<number, number>> {
  const happened = new Map<number, number>();
  const startedAt = Date.now();
  for (let done = 0; done < rate * SECONDS;) {
    const due = Math.min(rate * SECONDS, Math.floor(((Date.now() - startedAt) / 1000) * rate));
    for (; done < due; done += 1) {
      server.put("pods", podAt(done % PODS, 1 + Math.floor(done / PODS)));
      happened.set(server.resourceVersion, Date.now());
    }
    await pause(TICK_MILLIS);
  }
  return happened;
}

/** A Pod whose every change causes a new fact: a restarted container. */
function podAt(number: number, restartCount: number) {
  const uid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const container = {
    name: "work",
    restartCount,
    ready: true,
    state: { running: { startedAt: "2026-11-21T08:24:45Z" } },
  };
  return podObject({
    metadata: { uid, name: `report-${number}` },
    spec: { nodeName: "node-a" },
    status: { phase: "Running", startTime: "2026-11-21T08:24:45Z", containerStatuses: [container] },
  });
}

function versionsIn(body: string): readonly number[] {
  const decodedBody = decodeMessageBody(body);
  const decoded = decodedBody.outcome === "decoded" ? decodeSegment(decodedBody.bytes) : undefined;
  if (decoded?.outcome !== "decoded") throw new Error("The queue was given something else than a segment.");
  const observed = decoded.segment.facts.filter(({ kind }) => kind === "PodObserved");
  return observed.map(({ resourceVersion }) => resourceVersion);
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
