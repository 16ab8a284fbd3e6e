import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import { createKubernetesLeaseStore } from "../../../src/kubernetes/connection/kubernetes-lease-store.ts";
import type { Lease, LeaseStore } from "../../../src/ports/lease-store.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-lease-"));
const base = "/apis/coordination.k8s.io/v1/namespaces/outlive/leases";
const lease: Lease = {
  holder: "a_1",
  durationSeconds: 8,
  renewedAt: Date.UTC(2026, 10, 21, 12, 0, 0, 5),
  acquiredAt: Date.UTC(2026, 10, 21, 11),
  transitions: 3,
  position: '{"epoch":0}',
};

interface StoredObject {
  readonly metadata: { readonly resourceVersion: string };
}

/** The API server's part: one Lease under optimistic locking, or a status that is forced. */
let stored: StoredObject | undefined;
let forced: number | undefined;
let revision = 40;

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const say = (status: number, object: unknown) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(object));
  };
  const refuse = (status: number, reason: string) => say(status, { kind: "Status", reason, code: status });
  if (forced !== undefined) return refuse(forced, "Forced");
  if (request.method === "GET") return stored === undefined ? refuse(404, "NotFound") : say(200, stored);
  const object = JSON.parse(body) as StoredObject;
  const isCreation = request.method === "POST" && request.url === base;
  if (isCreation ? stored !== undefined : stored?.metadata.resourceVersion !== object.metadata.resourceVersion) {
    return refuse(409, "Conflict");
  }
  revision += 1;
  stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
  return say(isCreation ? 201 : 200, stored);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => answer(request, response, Buffer.concat(chunks).toString()));
});
let store: LeaseStore;

beforeEach(async () => {
  stored = undefined;
  forced = undefined;
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const file = join(folder, "kubeconfig");
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    file,
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  store = createKubernetesLeaseStore(openKubeconfig({ kind: "kubeconfig", file }), {
    namespace: "outlive",
    name: "exporter",
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

describe("a Lease of Kubernetes", () => {
  it("is read as it was written", async () => {
    expect(await store.read()).toBeUndefined();
    expect(await store.create(lease)).toMatchObject({ outcome: "written" });
    expect(await store.read()).toEqual({ ...lease, revision: String(revision) });
  });

  it("is written with times of six digits, and the position in an annotation", async () => {
    await store.create(lease);
    expect(stored).toMatchObject({
      kind: "Lease",
      metadata: { name: "exporter", namespace: "outlive", annotations: { "outlive.dev/position": '{"epoch":0}' } },
      spec: { holderIdentity: "a_1", renewTime: "2026-11-21T12:00:00.005000Z", leaseTransitions: 3 },
    });
  });

  it("is created only once", async () => {
    await store.create(lease);
    expect(await store.create(lease)).toEqual({ outcome: "conflict" });
  });

  it("is replaced only as it was read", async () => {
    await store.create(lease);
    const read = await store.read();
    expect(await store.replace({ ...lease, holder: "b" }, read?.revision ?? "")).toMatchObject({ outcome: "written" });
    expect(await store.replace({ ...lease, holder: "c" }, read?.revision ?? "")).toEqual({ outcome: "conflict" });
    expect((await store.read())?.holder).toBe("b");
  });

  it.each([
    [
      403,
      'Grant {apiGroups: ["coordination.k8s.io"], resources: ["leases"], ' +
        'verbs: ["get", "create", "update"]} in a Role in outlive.',
    ],
    [404, "namespace outlive does not exist"],
    [401, "refused the credentials"],
    [500, "failed to serve Lease outlive/exporter (500)"],
  ])("with status %i is reported with advice", async (status, sentence) => {
    forced = status;
    await expect(store.read()).rejects.toThrow(sentence);
    await expect(store.create(lease)).rejects.toThrow(sentence);
  });
});
