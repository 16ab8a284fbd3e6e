import { describe, expect, it } from "vitest";
import { ClusterIdentity } from "../../../src/kubernetes/connection/cluster-identity.ts";
import { OtherClusterError } from "../../../src/kubernetes/connection/connection-error.ts";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import { ServerClock } from "../../../src/kubernetes/connection/server-clock.ts";
import { clock, server } from "../../support/kubernetes/cluster-scene.ts";
import { status } from "../../support/kubernetes/fake-api-server.ts";

const { signal } = new AbortController();

function identity(expected?: string): ClusterIdentity {
  const connection = openKubeconfig({ kind: "kubeconfig", file: server.kubeconfig() });
  return new ClusterIdentity({ connection, clock, serverClock: new ServerClock(clock), signal }, expected);
}

function deny(what: "namespace" | "version"): void {
  server.next(what, what === "namespace" ? "kube-system" : "version", status(403, "denied"));
}

describe("the identity of a cluster", () => {
  it("is unknown until it is read", async () => {
    const known = identity();
    expect([known.uid, known.serverVersion]).toEqual([undefined, undefined]);
    await known.confirm();
    expect([known.uid, known.serverVersion]).toEqual([server.kubeSystemUid, "v1.36.3"]);
  });

  it("is another one where the uid is not the expected one", async () => {
    const known = identity("22222222-0000-4000-8000-000000000002");
    await expect(known.confirm()).rejects.toThrow(OtherClusterError);
    await expect(known.confirm()).rejects.toThrow(/another cluster than before: .* not 22222222-/);
  });

  it("is another one where the address leads to another cluster later", async () => {
    const known = identity();
    await known.confirm();
    server.kubeSystemUid = "33333333-0000-4000-8000-000000000003";
    await expect(known.confirm()).rejects.toThrow(OtherClusterError);
  });

  it("stays known while access is denied later, so that another cluster is still noticed", async () => {
    const known = identity();
    await known.confirm();
    deny("namespace");
    deny("version");
    await known.confirm();
    expect([known.uid, known.serverVersion]).toEqual([server.kubeSystemUid, "v1.36.3"]);
    server.kubeSystemUid = "33333333-0000-4000-8000-000000000003";
    await expect(known.confirm()).rejects.toThrow(OtherClusterError);
  });

  it("is unknown where access is denied", async () => {
    const known = identity();
    deny("namespace");
    await known.confirm();
    expect(known.uid).toBeUndefined();
  });

  it("is read once for callers at the same time, and again for a later one", async () => {
    const known = identity();
    await Promise.all([known.confirm(), known.confirm(), known.confirm()]);
    expect(server.count("namespace", "kube-system")).toBe(1);
    await known.confirm();
    expect(server.count("namespace", "kube-system")).toBe(2);
  });
});
