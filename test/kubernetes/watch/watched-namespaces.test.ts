import { describe, expect, it } from "vitest";
import { begin, captureAndStop } from "../../support/kubernetes/capture-scene.ts";
import { atEnd, clock, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { status } from "../../support/kubernetes/fake-api-server.ts";
import { ReflectorRun } from "../../support/kubernetes/reflector-run.ts";

const MARKED = { "outlive.dev/notify": "team-a" };

function namespace(name: string, annotations: Readonly<Record<string, string>> = {}) {
  const metadata = { name, uid: `uid-${name}`, creationTimestamp: "2026-11-21T08:00:00Z", annotations };
  return { kind: "Namespace", apiVersion: "v1", metadata, spec: { finalizers: ["kubernetes"] } };
}

describe("the watch of namespaces", () => {
  it("states those that have, or had, annotations for Outlive", async () => {
    server.put("namespaces", namespace("plain"));
    server.put("namespaces", namespace("team-a", MARKED));
    const run = begin();
    await run.watching();
    await run.told("NamespaceObserved");
    server.put("namespaces", namespace("plain", { note: "x" }));
    server.put("namespaces", namespace("team-a"));
    await run.told("NamespaceObserved", 2);
    server.put("namespaces", namespace("team-a", MARKED));
    server.remove("namespaces", namespace("team-a", MARKED));
    await run.told("NamespaceDeleted");
    expect(run.of("NamespaceObserved").map((fact) => [fact.namespace, fact.marks])).toEqual([
      ["team-a", MARKED],
      ["team-a", undefined],
      ["team-a", MARKED],
      ["team-a", MARKED],
    ]);
  });

  it("requests metadata only", async () => {
    server.next("streamingList", "namespaces", status(422, "no"));
    const run = begin();
    await run.watching();
    const asked = server.asked.filter(({ resource, what }) => resource === "namespaces" && what !== "probe");
    expect(asked.map(({ what, headers }) => [what, String(headers.accept).split(";")[1]])).toEqual([
      ["streamingList", "as=PartialObjectMetadata"],
      ["list", "as=PartialObjectMetadataList"],
      ["watch", "as=PartialObjectMetadata"],
    ]);
  });

  it("reads what a server sends that supports this", async () => {
    const { metadata } = namespace("team-a", MARKED);
    const object = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
    const run = begin();
    await run.watching();
    server.send("namespaces", {
      type: "ADDED",
      object: { ...object, metadata: { ...metadata, resourceVersion: "300" } },
    });
    await run.told("NamespaceObserved");
    expect(run.of("NamespaceObserved")).toMatchObject([{ namespace: "team-a", marks: MARKED, resourceVersion: 300 }]);
  });

  it("is of one namespace if one is watched", async () => {
    const run = new ReflectorRun({ server, clock, resource: "namespaces", namespace: "team-a" });
    atEnd(() => run.stop());
    await run.watching();
    const asked = server.asked.filter(({ resource }) => resource === "namespaces");
    expect(new Set(asked.map(({ path, query }) => `${path} ${query.get("fieldSelector")}`))).toEqual(
      new Set(["/api/v1/namespaces metadata.name=team-a"]),
    );
  });

  it("has no gap when the API server was restarted, and shows what is missing then", async () => {
    server.put("namespaces", namespace("team-a", MARKED));
    server.put("namespaces", namespace("team-b", MARKED));
    const run = begin();
    await run.watching();
    await run.told("NamespaceObserved", 2);
    server.forget("namespaces", namespace("team-a"));
    server.restart();
    await retry(500);
    await run.told("NamespaceDeleted");
    await run.told("GapRecorded", 4);
    expect(run.of("NamespaceDeleted").map(({ namespaceUid }) => namespaceUid)).toEqual(["uid-team-a"]);
    expect(run.of("GapRecorded").filter(({ resources }) => resources.includes("namespaces"))).toEqual([]);
  });
});

describe("namespaces without permission", () => {
  it("are a problem that names the rule, no gap, and nothing that a position waits for", async () => {
    server.next("streamingList", "namespaces", status(403, "forbidden"));
    const run = begin();
    await run.until(() => run.news.some(({ kind }) => kind === "problem"));
    await run.told("ClusterObserved");
    expect(run.news.filter(({ kind }) => kind === "problem")).toMatchObject([
      {
        resource: "namespaces",
        message:
          `Cannot watch namespaces on ${server.url}: access denied (403). ` +
          'Grant {apiGroups: [""], resources: ["namespaces"], verbs: ["get", "list", "watch"]} in a ClusterRole.',
      },
    ]);
    expect(run.position.resources).not.toHaveProperty("namespaces");
    server.put("namespaces", namespace("team-a", MARKED));
    await retry(500);
    await run.told("NamespaceObserved");
    expect(run.of("GapRecorded")).toEqual([]);
  });
});

describe("an exporter that restarts", () => {
  it("notices that a namespace has lost its annotations, within the watch cache", async () => {
    server.put("namespaces", namespace("team-a", MARKED));
    const before = await captureAndStop();
    server.put("namespaces", namespace("team-a"));
    server.put("namespaces", namespace("other"));
    const run = begin({ from: before.position });
    await run.told("NamespaceObserved");
    expect(run.of("NamespaceObserved").map((fact) => [fact.namespace, fact.marks])).toEqual([["team-a", undefined]]);
  });

  it("notices after a gap what lost its annotations, and what was deleted", async () => {
    server.put("namespaces", namespace("team-a", MARKED));
    server.put("namespaces", namespace("team-b", MARKED));
    const before = await captureAndStop();
    server.put("namespaces", namespace("team-a"));
    server.forget("namespaces", namespace("team-b"));
    server.restart();
    const run = begin({ from: before.position });
    await run.told("NamespaceDeleted");
    expect(run.of("NamespaceObserved").map((fact) => [fact.namespace, fact.marks])).toEqual([["team-a", undefined]]);
    expect(run.of("NamespaceDeleted").map((fact) => fact.namespace)).toEqual(["team-b"]);
  });

  it("from a position of an earlier release lists the namespaces, without a gap", async () => {
    server.put("namespaces", namespace("team-a", MARKED));
    const { position } = await captureAndStop();
    const { namespaces: _, ...resources } = position.resources;
    const { namespaces: __, ...earlier } = { ...position, resources };
    const run = begin({ from: earlier });
    await run.told("NamespaceObserved");
    expect(run.of("GapRecorded")).toEqual([]);
  });
});
