import { fieldsOf, itemsOf, type JsonObject, textOf } from "../../src/kubernetes/json/json-field.ts";
import type { ApiClient } from "./api-client.ts";

const NODE = "fault-node";
const ROUND_MILLIS = 400;

/**
 * Scheduler and kubelet of one namespace, level-driven: each round advances each Pod by one step and retries failures.
 * Unlike a real kubelet it has no memory, so that a fault of the API server cannot block a Pod.
 */
export class SmallKubelet {
  readonly #api: ApiClient;
  readonly #namespace: string;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(api: ApiClient, namespace: string) {
    this.#api = api;
    this.#namespace = namespace;
  }

  async start(): Promise<void> {
    await this.#api("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: NODE } });
    const ready = {
      type: "Ready",
      status: "True",
      reason: "KubeletReady",
      lastHeartbeatTime: now(),
      lastTransitionTime: now(),
    };
    const status = { capacity: { pods: "5000" }, allocatable: { pods: "5000" }, conditions: [ready] };
    await this.#api("PATCH", `/api/v1/nodes/${NODE}/status`, { status });
    this.#plan();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#round().then(() => this.#plan()), ROUND_MILLIS);
  }

  async #round(): Promise<void> {
    const { body } = await this.#api("GET", `/api/v1/namespaces/${this.#namespace}/pods?resourceVersion=0`);
    const pods = itemsOf(fieldsOf(body)["items"]);
    await Promise.all(pods.map((pod) => this.#step(fieldsOf(pod))));
  }

  async #step(pod: JsonObject): Promise<void> {
    const metadata = fieldsOf(pod["metadata"]);
    const name = textOf(metadata["name"]) ?? "";
    const path = `/api/v1/namespaces/${this.#namespace}/pods/${name}`;
    const phase = textOf(fieldsOf(pod["status"])["phase"]);
    if (fieldsOf(pod["spec"])["nodeName"] === undefined) {
      const target = { apiVersion: "v1", kind: "Node", name: NODE };
      await this.#api("POST", `${path}/binding`, { apiVersion: "v1", kind: "Binding", metadata: { name }, target });
    } else if (phase === "Pending") await this.#report(path, running());
    else if (phase === "Running" && isOver(pod, name)) await this.#report(path, ended(pod, exitCodeOf(name)));
    else if (metadata["deletionTimestamp"] !== undefined) {
      await this.#api("DELETE", path, { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
    }
  }

  async #report(path: string, status: JsonObject): Promise<void> {
    await this.#api("PATCH", `${path}/status`, { status });
  }
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

function hashOf(name: string): number {
  return Buffer.from(name).reduce((hash, letter) => (hash * 31 + letter) % 9973, 7);
}

/** One in eight fails. */
function exitCodeOf(name: string): number {
  return hashOf(name) % 8 === 0 ? 3 : 0;
}

/** Whether the Pod has run for half a second to six seconds, or is being deleted. */
function isOver(pod: JsonObject, name: string): boolean {
  if (fieldsOf(pod["metadata"])["deletionTimestamp"] !== undefined) return true;
  const startedAt = Date.parse(textOf(fieldsOf(pod["status"])["startTime"]) ?? "");
  return Date.now() - startedAt > 500 + (hashOf(name) % 56) * 100;
}

function running(): JsonObject {
  const condition = { type: "Ready", status: "True", lastTransitionTime: now() };
  const state = { running: { startedAt: now() } };
  return { phase: "Running", startTime: now(), conditions: [condition], containerStatuses: [container(state, true)] };
}

function ended(pod: JsonObject, exitCode: number): JsonObject {
  const startedAt = textOf(fieldsOf(pod["status"])["startTime"]) ?? now();
  const reason = exitCode === 0 ? "Completed" : "Error";
  const state = { terminated: { exitCode, reason, startedAt, finishedAt: now() } };
  const condition = { type: "Ready", status: "False", reason: "PodCompleted", lastTransitionTime: now() };
  return {
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    conditions: [condition],
    containerStatuses: [container(state, false)],
  };
}

function container(state: JsonObject, ready: boolean): JsonObject {
  return { name: "work", image: "work:1", imageID: "", restartCount: 0, ready, started: ready, state, lastState: {} };
}
