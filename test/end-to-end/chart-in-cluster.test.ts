import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKubeconfig } from "../../src/kubernetes/connection/kubeconfig-connection.ts";
import { type PodContainer, PodProcess, type RunningPod } from "../support/kubernetes/pod-process.ts";
import { findControlPlanes, RealCluster } from "../support/kubernetes/real-cluster.ts";
import { chartFolder, renderChart, skipWithoutHelm } from "../support/running/helm.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const MINUTES = 60_000;
const ASK_EVERY_MILLIS = 200;
const NAMESPACE = "outlive";
const IMAGE = ["--set", "image.repository=registry.example.org/outlive"];
const EVERYTHING = join(import.meta.dirname, "../deploy/charts/outlive-everything.yaml");
const CRDS = join(import.meta.dirname, "../support/kubernetes/monitoring-crds.yaml");
const EXPORTER = [...IMAGE, "--set", "queueUrl=https://sqs.eu-central-1.amazonaws.com/1/q", "--set", "cluster=prod"];
const WEBHOOK =
  "metrics.serviceMonitor.enabled=true,kinds[0].kind=Sweep,kinds[0].when={a.example.org/b}," +
  "audit.webhook.enabled=true,audit.webhook.tokenSecret=t,audit.webhook.apiServerCidrs={10.0.0.1/32}";

const home = findControlPlanes("current");
const untested = "the charts on a real API server, and outlive serve with the chart's service account";
const withoutHelm = skipWithoutHelm(untested);
const withoutRoot = skipWithout(process.getuid?.() === 0 && process.platform === "linux", {
  dependency: "root on Linux",
  untested,
  reason: "the tests run as another user",
});

let cluster: RealCluster;
let folder: string;
let pod: PodProcess;

beforeAll(async () => {
  if (home === undefined || withoutHelm || withoutRoot) return;
  folder = mkdtempSync(join(tmpdir(), "outlive-chart-"));
  pod = new PodProcess(folder);
  cluster = await RealCluster.start("current", home);
  await cluster.kubectl("create", "namespace", NAMESPACE);
  await cluster.kubectl("label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted");
  await cluster.kubectl("apply", "-f", CRDS);
  await cluster.kubectl("wait", "--for=condition=Established", "-f", CRDS);
}, 3 * MINUTES);
afterAll(async () => {
  if (home === undefined || withoutHelm || withoutRoot) return;
  await pod.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}, MINUTES);

async function helm(...args: readonly string[]): Promise<void> {
  await promisify(execFile)("helm", ["--kubeconfig", cluster.kubeconfig, "-n", NAMESPACE, ...args]);
}

/** The chart as its next version. */
function nextVersion(): string {
  const next = join(folder, "next");
  cpSync(chartFolder("outlive"), next, { recursive: true, dereference: true });
  const file = join(next, "Chart.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("0.1.0", "0.2.0"));
  return next;
}

interface StatefulSet {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [PodContainer] } } };
}

const readJson = async <T>(...args: readonly string[]): Promise<T> =>
  JSON.parse(await cluster.kubectl("-n", NAMESPACE, "get", ...args, "-o", "json")) as T;

async function readerToken(): Promise<string> {
  const { data } = await readJson<{ readonly data: { readonly token: string } }>("secret", "outlive-token");
  return Buffer.from(data.token, "base64").toString();
}

/** Starts the container of the StatefulSet as it is in the cluster now, with a token of its service account. */
async function startPod(): Promise<RunningPod> {
  const { spec } = await readJson<StatefulSet>("statefulset", "outlive");
  const [container] = spec.template.spec.containers;
  const { server, ca } = addressOf(readFileSync(cluster.kubeconfig, "utf8"));
  const env = [
    ...container.env,
    { name: "KUBERNETES_SERVICE_HOST", value: server.hostname },
    { name: "KUBERNETES_SERVICE_PORT", value: server.port },
  ];
  const accountToken = await cluster.kubectl("-n", NAMESPACE, "create", "token", "outlive");
  const files = {
    "/etc/outlive/token": { token: await readerToken() },
    "/var/run/secrets/kubernetes.io/serviceaccount": { token: accountToken, "ca.crt": ca, namespace: NAMESPACE },
  };
  return pod.start({ ...container, env }, { files, data: "/var/lib/outlive" });
}

function addressOf(kubeconfig: string) {
  const { clusters } = JSON.parse(kubeconfig) as {
    readonly clusters: readonly [
      { readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } },
    ];
  };
  const [{ cluster: at }] = clusters;
  return { server: new URL(at.server), ca: Buffer.from(at["certificate-authority-data"], "base64").toString() };
}

async function ask<T>({ url }: RunningPod, path: string): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${await readerToken()}` } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

interface Job {
  readonly name: string;
  readonly uid: string;
  readonly asOf: unknown;
  readonly verdict: { readonly final: boolean };
  readonly completeness: { readonly level: string };
  readonly deletedAt?: string;
}

const jobsIn = async (running: RunningPod, namespace: string): Promise<readonly Job[]> =>
  (await ask<{ readonly items: readonly Job[] }>(running, `/v1/jobs?cluster=kubernetes&namespace=${namespace}`)).items;

/** Asks until the Jobs are as they are waited for: facts are on their way through a watch, a log and a projection. */
async function jobsOnce(running: RunningPod, namespace: string, isMet: (jobs: readonly Job[]) => boolean) {
  for (;;) {
    const jobs = await jobsIn(running, namespace);
    if (isMet(jobs)) return jobs;
    await wait(ASK_EVERY_MILLIS);
  }
}

/** The scenario has three Jobs of one name, each of which is deleted. */
const areThreeGone = (jobs: readonly Job[]): boolean =>
  jobs.length === 3 && jobs.every(({ deletedAt }) => deletedAt !== undefined);

/** What the server answers about Jobs that are over: all but the time until which it has data. */
async function answersOf(running: RunningPod, namespace: string): Promise<readonly unknown[]> {
  const jobs = await jobsIn(running, namespace);
  return Promise.all(
    jobs.map(async ({ name, uid }) => {
      const path = `/v1/clusters/kubernetes/namespaces/${namespace}/jobs/${name}`;
      const { asOf: _, ...job } = await ask<Job>(running, `${path}?uid=${uid}`);
      const pods = await ask<{ readonly items: unknown }>(running, `${path}/pods?uid=${uid}`);
      const history = await ask<{ readonly items: unknown }>(running, `${path}/history?uid=${uid}`);
      return { job, pods: pods.items, history: history.items };
    }),
  );
}

async function createJob(name: string): Promise<void> {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "w" }] } };
  const json = { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { suspend: true, template } };
  const connection = openKubeconfig({ kind: "kubeconfig", file: cluster.kubeconfig });
  const { signal } = new AbortController();
  const path = "/apis/batch/v1/namespaces/default/jobs";
  expect((await connection.send("POST", path, { json: JSON.stringify(json), signal })).status).toBe(201);
}

describe.skipIf(home === undefined || withoutHelm || withoutRoot)("on a real API server", () => {
  it.each([
    ["outlive", "as it is", IMAGE],
    ["outlive", "with everything", ["-f", EVERYTHING]],
    ["outlive", "with backups on a volume", ["-f", EVERYTHING, "--set", "backup.bucket="]],
    ["outlive-exporter", "as it is", EXPORTER],
    ["outlive-exporter", "with everything", [...EXPORTER, "--set", WEBHOOK]],
  ] as const)("each object of chart %s %s is accepted", { timeout: MINUTES }, async (chart, _, options) => {
    const { stdout } = renderChart(chart, ...options);
    const file = join(folder, "rendered.yaml");
    writeFileSync(file, stdout);
    const applied = await cluster.kubectl("-n", NAMESPACE, "apply", "--server-side", "--dry-run=server", "-f", file);
    expect(applied.trim().split("\n")).toHaveLength([...stdout.matchAll(/^kind: /gm)].length);
  });

  it(
    "serve watches with the chart's rights, and answers the same after an upgrade and a rollback",
    { timeout: 4 * MINUTES },
    async () => {
      await helm("install", "outlive", chartFolder("outlive"), ...IMAGE);
      const token = await readerToken();
      const installed = await startPod();
      await cluster.play("ttl");
      await jobsOnce(installed, "ttl", areThreeGone);
      const before = await answersOf(installed, "ttl");

      await helm("upgrade", "outlive", nextVersion(), ...IMAGE, "--set", "includeNames=true,backup.enabled=true");
      expect(await installed.stop()).toMatchObject({ status: 0 });
      await createJob("while-it-was-upgraded");
      const upgraded = await startPod();
      const [missed] = await jobsOnce(upgraded, "default", (jobs) => jobs.length === 1);
      expect(missed).toMatchObject({ completeness: { level: "complete" } });
      expect(await answersOf(upgraded, "ttl")).toEqual(before);

      await helm("rollback", "outlive", "1");
      expect(await upgraded.stop()).toMatchObject({ status: 0 });
      const rolledBack = await startPod();
      expect(await answersOf(rolledBack, "ttl")).toEqual(before);
      expect(await jobsIn(rolledBack, "default")).toHaveLength(1);
      expect(await rolledBack.stop()).toMatchObject({ status: 0 });

      await helm("uninstall", "outlive");
      await helm("install", "outlive", chartFolder("outlive"), ...IMAGE);
      expect(await readerToken()).toBe(token);
      await cluster.kubectl("-n", NAMESPACE, "get", "persistentvolumeclaim", "data-outlive-0");
    },
  );
});
