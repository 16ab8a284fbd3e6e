import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { openKubeconfig } from "../../src/kubernetes/connection/kubeconfig-connection.ts";
import { bodyText } from "../../src/kubernetes/json/body-text.ts";
import { fieldsOf, itemsOf } from "../../src/kubernetes/json/json-field.ts";
import { captureCluster } from "../../src/kubernetes/watch/capture.ts";
import { systemClock } from "../../src/ports/runtime/clock.ts";
import { answersOf, foldFacts } from "../../src/query/job/fold-facts.ts";
import { findControlPlanes, RealCluster } from "../support/kubernetes/real-cluster.ts";
import { Observed } from "../support/running/observed.ts";

const MINUTES = 60_000;
const NAMESPACE = "evictions";
const API = `/apis/lifecycle.k8s.io/v1alpha1/namespaces/${NAMESPACE}/evictionrequests`;
/** The alpha API of 1.37 (KEP-4563). */
const ALPHA = [
  "--apiserver-arg=--feature-gates=EvictionRequestAPI=true",
  "--apiserver-arg=--runtime-config=lifecycle.k8s.io/v1alpha1=true",
];

/** What an exporter captures of the cluster. */
class Captured extends Observed {
  readonly facts: Fact[] = [];
  readonly #stopper = new AbortController();
  readonly #ended: Promise<void>;

  constructor(kubeconfig: string) {
    super();
    const connection = openKubeconfig({ kind: "kubeconfig", file: kubeconfig });
    const options = { clock: systemClock, random: Math.random, signal: this.#stopper.signal, report: () => {} };
    this.#ended = this.#collect(captureCluster(connection, options));
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.#ended;
  }

  async #collect(steps: ReturnType<typeof captureCluster>): Promise<void> {
    for await (const { facts } of steps) {
      this.facts.push(...facts);
      this.changed();
    }
  }
}

const home = findControlPlanes("newest");

describe.skipIf(home === undefined)("a control plane with the alpha API of EvictionRequests", () => {
  let cluster: RealCluster;
  let captured: Captured;

  async function send(path: string, body: object, method: "POST" | "PUT" = "POST"): Promise<void> {
    const connection = openKubeconfig({ kind: "kubeconfig", file: cluster.kubeconfig });
    const { signal } = new AbortController();
    const response = await connection.send(method, path, { json: JSON.stringify(body), signal });
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await bodyText(response)}`);
  }

  /** Sets the condition that an administrator's drain sets (KEP-5683). */
  async function beginDrain(): Promise<void> {
    const connection = openKubeconfig({ kind: "kubeconfig", file: cluster.kubeconfig });
    const { signal } = new AbortController();
    const path = "/api/v1/nodes/node-a";
    const node: unknown = JSON.parse(await bodyText(await connection.get(path, { signal })));
    const { status, ...rest } = fieldsOf(node);
    const time = new Date().toISOString().replace(/\.\d+Z/, "Z");
    const drain = { type: "DrainInProgress", status: "True", lastTransitionTime: time, lastHeartbeatTime: time };
    const conditions = [...itemsOf(fieldsOf(status)["conditions"]), { ...drain, reason: "Upgrade", message: "" }];
    await send(`${path}/status`, { ...rest, status: { ...fieldsOf(status), conditions } }, "PUT");
    await captured.until(() =>
      captured.facts.some((fact) => fact.kind === "NodeObserved" && fact.lifecycle !== undefined),
    );
  }

  beforeAll(async () => {
    cluster = await RealCluster.start("newest", home ?? "", ALPHA);
    await send("/api/v1/namespaces", { metadata: { name: NAMESPACE } });
    const labels = { "play.outlive.test/namespace": NAMESPACE };
    await send("/api/v1/nodes", { metadata: { name: "node-a", labels } });
    captured = new Captured(cluster.kubeconfig);
  }, 3 * MINUTES);
  afterAll(async () => {
    await captured.stop();
    await cluster.stop();
  }, MINUTES);

  /** Runs a Job, requests the eviction of its Pod, and evicts it. The cause of its failure, in words. */
  async function causeOf(job: string, intent: "Eviction" | "Withdrawn"): Promise<string | undefined> {
    const annotations = { "play.outlive.test/script": JSON.stringify({ run: "forever" }) };
    const container = { name: "work", image: "w" };
    const template = { metadata: { annotations }, spec: { restartPolicy: "Never", containers: [container] } };
    const spec = { backoffLimit: 0, template };
    await send(`/apis/batch/v1/namespaces/${NAMESPACE}/jobs`, { metadata: { name: job }, spec });
    const pod = await podOf(job);
    const request = { target: { pod: { name: pod.name, uid: pod.podUid } }, requester: "acme.io/rebalancer", intent };
    await send(API, {
      apiVersion: "lifecycle.k8s.io/v1alpha1",
      kind: "EvictionRequest",
      metadata: { name: job },
      spec: request,
    });
    await captured.until(() => captured.facts.some((fact) => fact.kind === "EvictionObserved" && fact.name === job));
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod.name, namespace: NAMESPACE } };
    await send(`/api/v1/namespaces/${NAMESPACE}/pods/${pod.name}/eviction`, eviction);
    const isFailed = (fact: Fact) => fact.kind === "JobFinished" && fact.jobUid === pod.jobUid;
    await captured.until(() => captured.facts.some(isFailed));
    const batches = async function* () {
      yield captured.facts;
    };
    const answers = answersOf(await foldFacts(batches()), { cluster: "real", now: Date.now(), pods: true });
    return [...answers].find(({ name }) => name === job)?.cause?.message;
  }

  async function podOf(job: string) {
    const uidOf = () => captured.facts.find((fact) => fact.kind === "JobCreated" && fact.name === job);
    const started = () =>
      captured.facts.find((fact) => {
        const created = uidOf();
        return (
          fact.kind === "PodStarted" && created !== undefined && "jobUid" in created && fact.jobUid === created.jobUid
        );
      });
    await captured.until(() => started() !== undefined);
    const run = started();
    const created = captured.facts.find(
      (fact) => fact.kind === "PodCreated" && run !== undefined && "podUid" in run && fact.podUid === run.podUid,
    );
    return created?.kind === "PodCreated" ? created : expect.fail("The Pod was created.");
  }

  it("shows who requested the eviction of a Pod", { timeout: 2 * MINUTES }, async () => {
    expect(await causeOf("moved", "Eviction")).toBe("evicted from node-a at the request of acme.io/rebalancer");
  });

  it("shows no requester that has withdrawn", { timeout: 2 * MINUTES }, async () => {
    expect(await causeOf("kept", "Withdrawn")).toBe("evicted through the eviction API from node-a, as a drain does");
  });

  it("shows that the node was being drained", { timeout: 2 * MINUTES }, async () => {
    await beginDrain();
    expect(await causeOf("drained", "Withdrawn")).toBe(
      "evicted through the eviction API from node-a during a drain of its node",
    );
  });
});
