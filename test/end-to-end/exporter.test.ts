import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { decodeMessageBody } from "../../src/adapters/sqs/message-body.ts";
import { FakeApiServer } from "../support/kubernetes/fake-api-server.ts";
import { ManualClock } from "../support/running/manual-clock.ts";
import { SmallSqs } from "../support/aws/small-sqs.ts";
import { jobObject, podObject, TRACKING_FINALIZER } from "../support/kubernetes/watch-objects.ts";

const ENTRY = join(import.meta.dirname, "../../cli/outlive.js");
/** In each of the places where a user keeps secrets. */
const SECRET = "not-to-be-sent-7f3a91";

let folder = "";
let server: FakeApiServer;
let sqs: SmallSqs;
let queueUrl = "";
const running: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-exporter-"));
  server = await FakeApiServer.open({ clock: new ManualClock(Date.now()) });
  sqs = new SmallSqs();
  queueUrl = await sqs.start();
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  sqs.stop();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The exporter as its container runs it, with nothing in its environment but what is said. */
class Exporter {
  readonly child: ChildProcess;
  stderr = "";

  constructor(args: readonly string[]) {
    const env = {
      AWS_ENDPOINT_URL: queueUrl,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    };
    this.child = spawn(process.execPath, [ENTRY, "export", ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    running.push(this.child);
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.status();
  }

  async status(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    await once(this.child, "close");
    return this.child.exitCode;
  }
}

function start(...more: readonly string[]): Exporter {
  return new Exporter([
    `--queue=${queueUrl}/000000000000/outlive`,
    "--cluster=east",
    `--kubeconfig=${server.kubeconfig()}`,
    ...more,
  ]);
}

function opened(body: string) {
  const decodedBody = decodeMessageBody(body);
  if (decodedBody.outcome === "rejected") throw new Error(decodedBody.reason);
  const decoded = decodeSegment(decodedBody.bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return decoded.segment;
}

function facts(): readonly Fact[] {
  return sqs.taken.flatMap(({ body }) => opened(body).facts);
}

function has(kind: Fact["kind"], times = 1): Promise<void> {
  return sqs.until(() => facts().filter((fact) => fact.kind === kind).length >= times);
}

const container = {
  name: "work",
  image: "work:1",
  command: ["work", SECRET],
  env: [
    { name: "TOKEN", value: SECRET },
    { name: "PASSWORD", valueFrom: { secretKeyRef: { name: SECRET, key: "password" } } },
  ],
};
const job = jobObject({ metadata: { annotations: { note: SECRET } } });
const running_ = { phase: "Running", startTime: "2026-11-21T08:24:45Z" };
const pod = podObject({
  metadata: { annotations: { note: SECRET }, finalizers: [TRACKING_FINALIZER] },
  spec: { nodeName: "node-a", containers: [container] },
  status: running_,
});
const done = podObject({
  metadata: { annotations: { note: SECRET }, finalizers: [TRACKING_FINALIZER] },
  spec: { nodeName: "node-a", containers: [container] },
  status: {
    ...running_,
    phase: "Succeeded",
    containerStatuses: [
      {
        name: "work",
        restartCount: 0,
        state: {
          terminated: {
            exitCode: 0,
            message: SECRET,
            startedAt: "2026-11-21T08:24:45Z",
            finishedAt: "2026-11-21T08:25:00Z",
          },
        },
      },
    ],
  },
});

/** Processes start and end here, and a busy machine takes its time. */
const PATIENT = { timeout: 120_000 };

describe("the exporter", PATIENT, () => {
  it("sends the existing objects, then changes, and exits on SIGTERM", async () => {
    server.put("jobs", job);
    server.put("pods", pod);
    const exporter = start();
    await has("PodCreated");
    server.put("pods", done);
    await has("PodTerminated");
    expect(await exporter.end("SIGTERM")).toBe(0);
    expect(exporter.stderr).toContain("Stopped. All facts were sent.");
    const [segment] = sqs.taken.map(({ body }) => opened(body));
    expect(segment).toMatchObject({ cluster: "east", kubeSystemUid: server.kubeSystemUid });
  });

  it("sends no environment, commands, annotations, names of Secrets or output of programs", async () => {
    server.put("jobs", job);
    server.put("pods", pod);
    server.put("pods", done);
    const exporter = start();
    await has("PodTerminated");
    await exporter.end("SIGTERM");
    expect(JSON.stringify(sqs.taken.map(({ body }) => opened(body)))).not.toContain(SECRET);
    expect(exporter.stderr).not.toContain(SECRET);
  });

  it("continues where it stopped, without a list and without a gap", async () => {
    server.put("jobs", job);
    server.put("pods", pod);
    const spool = `--spool=${join(folder, "spool")}`;
    const first = start(spool);
    await has("PodCreated");
    expect(await first.end("SIGTERM")).toBe(0);
    server.put("pods", done);
    const lists = server.count("streamingList", "pods");
    const second = start(spool);
    await has("PodTerminated");
    await second.end("SIGTERM");
    expect(server.count("streamingList", "pods")).toBe(lists);
    expect(facts().map(({ kind }) => kind)).not.toContain("GapRecorded");
  });

  it("loses nothing that was on disk if it is killed during an outage of the queue", async () => {
    server.put("jobs", job);
    server.put("pods", pod);
    const spool = join(folder, "spool");
    const first = start(`--spool=${spool}`);
    await has("PodCreated");
    sqs.fail("unavailable");
    server.put("pods", done);
    await first.end("SIGTERM");
    expect(readdirSync(spool).some((name) => name.endsWith(".spool"))).toBe(true);
    // What happened is forgotten by the cluster: the spool alone has it.
    server.restart();
    sqs.fail(undefined);
    const second = start(`--spool=${spool}`);
    await has("PodTerminated");
    await second.end("SIGKILL");
  });

  it("dates segments by the clock of the queue if that of the machine is wrong", async () => {
    sqs.aheadMillis = -3_600_000;
    server.put("jobs", job);
    const exporter = start();
    await has("JobCreated");
    server.put("pods", pod);
    await has("PodCreated");
    await exporter.end("SIGTERM");
    const last = opened(sqs.taken.at(-1)?.body ?? "");
    expect(Math.abs(last.sealedAt - (Date.now() - 3_600_000))).toBeLessThan(600_000);
  });

  it("reports a queue that denies access in a sentence, and sends once access is granted", async () => {
    sqs.fail("denied");
    server.put("jobs", job);
    const exporter = start();
    await sqs.until(() => sqs.requests > 1);
    sqs.fail(undefined);
    await has("JobCreated");
    await exporter.end("SIGTERM");
    expect(exporter.stderr).toMatch(/"kind":"unreachable"/);
    expect(exporter.stderr).toMatch(/sqs:SendMessage|allow/i);
  });

  it("refuses to go on with another cluster under the same position", async () => {
    server.put("jobs", job);
    const spool = `--spool=${join(folder, "spool")}`;
    const first = start(spool);
    await has("JobCreated");
    await first.end("SIGTERM");
    server.kubeSystemUid = "22222222-0000-4000-8000-000000000002";
    const second = start(spool);
    expect(await second.status()).not.toBe(0);
    expect(second.stderr).toMatch(/another|other/);
  });
});

describe("the exporter that cannot begin", PATIENT, () => {
  it.each<[string, (file: string) => readonly string[], RegExp]>([
    ["without a queue", (file) => ["--kubeconfig", file], /--queue/],
    [
      "with a queue that is no URL",
      (file) => ["--queue", "outlive", "--kubeconfig", file],
      /"outlive" is not the URL of a queue/,
    ],
    [
      "with a kubeconfig that is not there",
      () => ["--queue", "http://q", "--kubeconfig", "missing"],
      /Cannot read missing as a kubeconfig/,
    ],
    [
      "with an empty kubeconfig",
      (file) => ["--queue", "http://q", "--kubeconfig", file],
      /Cannot read .* as a kubeconfig/,
    ],
    [
      "with a Lease that has no namespace",
      (file) => ["--queue", "http://q", "--kubeconfig", file, "--lease", "x"],
      /NAMESPACE\/NAME/,
    ],
    [
      "with an audit webhook that anybody may call",
      (file) => ["--queue", "http://q", "--kubeconfig", file, "--audit-webhook", "127.0.0.1:0"],
      /The audit webhook needs a token .* or client certificates/,
    ],
  ])("%s says so and ends with status 2", async (name, args, sentence) => {
    const file = name.includes("empty") ? join(folder, "empty") : server.kubeconfig();
    if (name.includes("empty")) writeFileSync(file, "");
    const exporter = new Exporter(args(file));
    expect([await exporter.status(), sentence.test(exporter.stderr) ? "matches" : exporter.stderr]).toEqual([
      2,
      "matches",
    ]);
  });
});
