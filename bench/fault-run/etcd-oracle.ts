import { request } from "node:http";
import { fieldsOf, isObject, itemsOf, textOf } from "../../src/kubernetes/json/json-field.ts";

/** One change in etcd, as a complete watcher would receive it. */
export interface TrueEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: "jobs" | "pods";
  readonly object: unknown;
  readonly revision: number;
  /** When the change was received here: later than it happened while etcd is stopped. */
  readonly at: number;
}

/**
 * Reads every revision of Jobs and Pods from etcd (its JSON gateway, `/v3/watch`). It misses nothing, whatever happens
 * to the API server, and across restarts of etcd. The API server must store JSON
 * (`--storage-media-type=application/json`).
 */
export class EtcdOracle {
  readonly events: TrueEvent[] = [];
  readonly #endpoint: string;
  readonly #seen = { jobs: 0, pods: 0 };
  #isStopped = false;
  #from = 1;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** The revision up to which everything was read: older ones can be compacted. */
  get revision(): number {
    return Math.min(this.#seen.jobs, this.#seen.pods);
  }

  start(from: number): void {
    this.#from = from;
    for (const resource of ["jobs", "pods"] as const) void this.#follow(resource);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #follow(resource: "jobs" | "pods"): Promise<void> {
    while (!this.#isStopped) {
      await this.#watch(resource);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #watch(resource: "jobs" | "pods"): Promise<void> {
    const prefix = `/registry/${resource}/`;
    const end = `/registry/${resource}0`;
    const start = Math.max(this.#from, this.#seen[resource] + 1);
    const body = JSON.stringify({
      create_request: { key: base64(prefix), range_end: base64(end), start_revision: String(start), prev_kv: true },
    });
    return new Promise((resolve) => {
      let rest = "";
      const sent = request(`${this.#endpoint}/v3/watch`, { method: "POST" }, (response) => {
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) if (line !== "") this.#read(resource, JSON.parse(line));
        });
        response.on("error", () => resolve());
        response.on("close", () => resolve());
      });
      sent.on("error", () => resolve());
      sent.end(body);
    });
  }

  #read(resource: "jobs" | "pods", line: unknown): void {
    const result = isObject(line) ? fieldsOf(line["result"]) : {};
    if (result["canceled"] === true) {
      throw new Error(`The watch of etcd was cancelled, so the oracle misses changes: ${JSON.stringify(result)}`);
    }
    for (const event of itemsOf(result["events"])) this.#take(resource, fieldsOf(event));
  }

  #take(resource: "jobs" | "pods", event: Readonly<Record<string, unknown>>): void {
    const kv = fieldsOf(event["kv"]);
    const revision = Number(kv["mod_revision"]);
    const isDeleted = event["type"] === "DELETE";
    const object = isDeleted ? fieldsOf(event["prev_kv"])["value"] : kv["value"];
    const isCreated = kv["create_revision"] === kv["mod_revision"];
    if (revision <= this.#seen[resource]) return;
    this.#seen[resource] = revision;
    this.events.push({
      type: isDeleted ? "DELETED" : isCreated ? "ADDED" : "MODIFIED",
      resource,
      object: objectOf(textOf(object) ?? "", revision),
      revision,
      at: Date.now(),
    });
  }
}

/** Stored objects have no resourceVersion: it is the revision of the change. */
function objectOf(value: string, revision: number): unknown {
  const object: unknown = JSON.parse(Buffer.from(value, "base64").toString());
  if (!isObject(object)) return object;
  return { ...object, metadata: { ...fieldsOf(object["metadata"]), resourceVersion: String(revision) } };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
