import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";
import type { ManualClock } from "../running/manual-clock.ts";

interface Fields {
  readonly [field: string]: unknown;
}

/** The target of a request. */
export interface Asked {
  readonly what: "discovery" | "list" | "probe" | "watch" | "streamingList" | "namespace" | "version" | "other";
  readonly resource: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** A scripted response. */
export type Answer = (response: ServerResponse, asked: Asked) => void;

interface StoredEvent {
  readonly type: string;
  readonly object: Fields;
  readonly resourceVersion: number;
}

interface OpenWatch {
  readonly resource: string;
  readonly response: ServerResponse;
}

export interface FakeApiServerOptions {
  readonly clock: ManualClock;
  /** Whether it supports `sendInitialEvents`; 1.24 returns 422. @default true */
  readonly hasStreamingLists?: boolean;
  readonly serverVersion?: string;
}

/**
 * A small API server over HTTP with the behaviour of real ones, and their failures on demand. Its only time is that of
 * its clock.
 */
export class FakeApiServer {
  readonly #options: FakeApiServerOptions;
  readonly #server: Server;
  readonly #objects = new Map<string, Map<string, Fields>>();
  readonly #events = new Map<string, StoredEvent[]>();
  readonly #watches = new Set<OpenWatch>();
  readonly #scripted: { readonly what: Asked["what"]; readonly resource: string; readonly answer: Answer }[] = [];
  readonly #waiting: { readonly fits: (asked: Asked) => boolean; readonly resolve: (asked: Asked) => void }[] = [];
  readonly #installed = new Map<string, string>();
  readonly asked: Asked[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), "outlive-fake-"));
  kubeSystemUid = "11111111-0000-4000-8000-000000000001";
  resourceVersion = 100;
  /** Revisions up to this one are compacted. */
  compactedTo = 0;
  /** By how much its clock is ahead of the given one. */
  aheadMillis = 0;

  private constructor(options: FakeApiServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#handle(request, response));
  }

  static async open(options: FakeApiServerOptions): Promise<FakeApiServer> {
    const server = new FakeApiServer(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A kubeconfig for this server. */
  kubeconfig({ token = "secret" } = {}): string {
    const file = join(this.folder, "kubeconfig");
    const cluster = { server: this.url, "insecure-skip-tls-verify": true };
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "fake", cluster }],
      users: [{ name: "someone", user: { token } }],
      contexts: [{ name: "fake", context: { cluster: "fake", user: "someone" } }],
      "current-context": "fake",
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  }

  /** Closes open connections, and refuses new ones. */
  async close(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Serves a custom resource in one API version. */
  install(plural: string, apiVersion: string): void {
    this.#installed.set(plural, apiVersion);
  }

  /** Stops serving a custom resource: its objects are gone, and its watches end. */
  uninstall(plural: string): void {
    this.#installed.delete(plural);
    this.#objects.delete(plural);
    for (const watch of this.#watchesOf(plural)) watch.response.end();
  }

  /** Creates or changes an object, and notifies the watches. Returns the stored object. */
  put(resource: WatchedResource | "jobsets" | "workloads", object: Fields): Fields {
    this.resourceVersion += 1;
    const stored = withVersion(object, this.resourceVersion);
    const objects = this.#objectsOf(resource);
    const uid = uidOf(object);
    const type = objects.has(uid) ? "MODIFIED" : "ADDED";
    objects.set(uid, stored);
    this.#happen(resource, { type, object: stored, resourceVersion: this.resourceVersion });
    return stored;
  }

  remove(resource: WatchedResource | "jobsets" | "workloads", object: Fields): void {
    this.resourceVersion += 1;
    this.#objectsOf(resource).delete(uidOf(object));
    const gone = withVersion(object, this.resourceVersion);
    this.#happen(resource, { type: "DELETED", object: gone, resourceVersion: this.resourceVersion });
  }

  /** Deletes the object without an event. */
  forget(resource: WatchedResource | "jobsets" | "workloads", object: Fields): void {
    this.resourceVersion += 1;
    this.#objectsOf(resource).delete(uidOf(object));
  }

  /** Increases the revision, like a change of another resource. */
  pass(revisions = 1): void {
    this.resourceVersion += revisions;
  }

  /** Restarts: all watches end, and earlier revisions are compacted. */
  restart(): void {
    this.compactedTo = this.resourceVersion;
    for (const { response } of this.#watches) response.destroy();
  }

  /** Restores etcd from a backup: an earlier revision with the current objects. */
  restore(revision: number): void {
    this.resourceVersion = revision;
    this.#events.clear();
    for (const { response } of this.#watches) response.destroy();
  }

  bookmark(resource: WatchedResource | "jobsets" | "workloads"): void {
    const metadata = { resourceVersion: String(this.resourceVersion) };
    this.send(resource, { type: "BOOKMARK", object: { kind: "Bookmark", metadata } });
  }

  /** Writes any line into all watches of `resource`. */
  send(resource: WatchedResource | "jobsets" | "workloads", line: unknown): void {
    this.write(resource, `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  write(resource: WatchedResource | "jobsets" | "workloads", text: string): void {
    for (const watch of this.#watchesOf(resource)) watch.response.write(text);
  }

  /** Ends the watches as at their timeout. */
  end(resource: WatchedResource | "jobsets" | "workloads"): void {
    for (const watch of this.#watchesOf(resource)) watch.response.end();
  }

  cut(resource: WatchedResource | "jobsets" | "workloads"): void {
    for (const watch of this.#watchesOf(resource)) watch.response.destroy();
  }

  /** The unread bytes of the watches of `resource`. */
  unsentBytes(resource: WatchedResource | "jobsets" | "workloads"): number {
    return this.#watchesOf(resource).reduce((sum, { response }) => sum + response.writableLength, 0);
  }

  /** Sets the response of the next request of this kind. Several are used in order. */
  next(what: Asked["what"], resource: string, answer: Answer): void {
    this.#scripted.push({ what, resource, answer });
  }

  /** Resolves with the next request of this kind. */
  request(what: Asked["what"], resource: string): Promise<Asked> {
    return new Promise((resolve) => {
      this.#waiting.push({ fits: (asked) => asked.what === what && asked.resource === resource, resolve });
    });
  }

  /** The number of requests of this kind. */
  count(what: Asked["what"], resource: string): number {
    return this.asked.filter((asked) => asked.what === what && asked.resource === resource).length;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const asked = classify(request);
    this.asked.push(asked);
    response.sendDate = false;
    response.setHeader("Date", new Date(this.#options.clock.now() + this.aheadMillis).toUTCString());
    const at = this.#scripted.findIndex(({ what, resource }) => what === asked.what && resource === asked.resource);
    if (at === -1) this.answer(response, asked);
    else for (const { answer } of this.#scripted.splice(at, 1)) answer(response, asked);
    for (const waiting of this.#waiting.splice(0)) {
      if (waiting.fits(asked)) waiting.resolve(asked);
      else this.#waiting.push(waiting);
    }
  }

  /** The response of a healthy server. */
  answer(response: ServerResponse, asked: Asked): void {
    if (asked.path.startsWith("/apis/") && !this.#serves(asked)) {
      status(404, "the server could not find the requested resource")(response, asked);
      return;
    }
    switch (asked.what) {
      case "discovery":
        json(response, 200, { kind: "APIResourceList", resources: this.#resourcesOf(asked.path) });
        return;
      case "namespace":
        json(response, 200, { kind: "Namespace", metadata: { name: "kube-system", uid: this.kubeSystemUid } });
        return;
      case "version":
        json(response, 200, { gitVersion: this.#options.serverVersion ?? "v1.36.3" });
        return;
      case "list":
      case "probe":
        this.#list(response, asked);
        return;
      case "watch":
        this.#watch(response, asked);
        return;
      case "streamingList":
        this.#streamingList(response, asked);
        return;
      case "other":
        status(404, "the server could not find the requested resource")(response, asked);
    }
  }

  #serves({ what, path, resource }: Asked): boolean {
    if (what === "discovery") return this.#resourcesOf(path).length > 0;
    const apiVersion = this.#installed.get(resource);
    return apiVersion === undefined ? KINDS[resource] !== undefined : path.startsWith(`/apis/${apiVersion}/`);
  }

  #resourcesOf(path: string): readonly Fields[] {
    return [...this.#installed].flatMap(([name, version]) => (path === `/apis/${version}` ? [{ name }] : []));
  }

  #list(response: ServerResponse, { resource, query, headers }: Asked): void {
    const all = [...this.#objectsOf(resource).values()];
    const limit = Number(query.get("limit") ?? all.length);
    const start = Number(query.get("continue") ?? 0);
    const rest = all.length - start - limit;
    const isPartial = String(headers.accept).includes("PartialObjectMetadataList");
    const items = all.slice(start, start + limit).map(({ metadata, ...object }) => {
      const { kind: _, apiVersion: __, ...untyped } = object;
      return isPartial ? { metadata } : { metadata, ...untyped };
    });
    const metadata = {
      resourceVersion: String(this.resourceVersion),
      ...(rest > 0 && { continue: String(start + limit) }),
    };
    // Like real servers: a nil slice of Go.
    const written = isPartial && items.length === 0 ? null : items;
    json(response, 200, { kind: `${KINDS[resource] ?? ""}List`, apiVersion: "v1", metadata, items: written });
  }

  #watch(response: ServerResponse, { resource, query }: Asked): void {
    const from = Number(query.get("resourceVersion"));
    this.#open(response, resource);
    if (from < this.compactedTo) {
      response.end(`${JSON.stringify({ type: "ERROR", object: expired(from, this.compactedTo) })}\n`);
      return;
    }
    const events = this.#events.get(resource) ?? [];
    for (const { type, object, resourceVersion } of events) {
      if (resourceVersion > from) response.write(`${JSON.stringify({ type, object })}\n`);
    }
  }

  #streamingList(response: ServerResponse, asked: Asked): void {
    const { resource } = asked;
    if (this.#options.hasStreamingLists === false) {
      status(422, "resourceVersionMatch is forbidden for watch")(response, asked);
      return;
    }
    this.#open(response, resource);
    for (const object of this.#objectsOf(resource).values()) {
      response.write(`${JSON.stringify({ type: "ADDED", object })}\n`);
    }
    const metadata = {
      resourceVersion: String(this.resourceVersion),
      annotations: { "k8s.io/initial-events-end": "true" },
    };
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: { kind: KINDS[resource], metadata } })}\n`);
  }

  #open(response: ServerResponse, resource: string): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const watch = { resource, response };
    this.#watches.add(watch);
    response.on("close", () => this.#watches.delete(watch));
  }

  #happen(resource: string, event: StoredEvent): void {
    const events = this.#events.get(resource) ?? [];
    events.push(event);
    this.#events.set(resource, events);
    for (const watch of this.#watchesOf(resource)) {
      watch.response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
    }
  }

  #watchesOf(resource: string): readonly OpenWatch[] {
    return [...this.#watches].filter((watch) => watch.resource === resource && !watch.response.writableEnded);
  }

  #objectsOf(resource: string): Map<string, Fields> {
    const objects = this.#objects.get(resource) ?? new Map<string, Fields>();
    this.#objects.set(resource, objects);
    return objects;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  jobs: "Job",
  pods: "Pod",
  cronjobs: "CronJob",
  nodes: "Node",
  namespaces: "Namespace",
  events: "Event",
};

/** A response with a `Status`, the error format of the API server. */
export function status(code: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    json(response, code, { kind: "Status", apiVersion: "v1", status: "Failure", message, code });
  };
}

/** An accepted watch that sends the given lines. */
export function watchOf(lines: readonly unknown[], { ends = true } = {}): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    for (const line of lines) response.write(typeof line === "string" ? line : `${JSON.stringify(line)}\n`);
    if (ends) response.end();
  };
}

function expired(from: number, known: number): Fields {
  const message = `too old resource version: ${from} (${known})`;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: "Expired", code: 410 };
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function classify({ url = "", headers }: IncomingMessage): Asked {
  const { pathname, searchParams: query } = new URL(url, "http://fake");
  const resource = pathname.split("/").at(-1) ?? "";
  const base = { resource, path: pathname, query, headers };
  if (pathname === "/api/v1/namespaces/kube-system") return { ...base, what: "namespace" };
  if (pathname === "/version") return { ...base, what: "version" };
  if (/^\/apis\/[^/]+\.[^/]+\/[^/]+$/.test(pathname)) return { ...base, what: "discovery" };
  if (KINDS[resource] === undefined && !pathname.startsWith("/apis/")) return { ...base, what: "other" };
  if (query.has("sendInitialEvents")) return { ...base, what: "streamingList" };
  if (query.has("watch")) return { ...base, what: "watch" };
  return { ...base, what: query.get("limit") === "1" ? "probe" : "list" };
}

function withVersion(object: Fields, resourceVersion: number): Fields {
  return { ...object, metadata: { ...(object["metadata"] as Fields), resourceVersion: String(resourceVersion) } };
}

function uidOf({ metadata }: Fields): string {
  return String((metadata as Fields)["uid"]);
}
