import { describe, expect, it } from "vitest";
import { readListOptions, readPath } from "../../../src/http/kubectl/kube-request.ts";

function pathOf(text: string): unknown {
  const read = readPath(text);
  if (read.outcome === "refused") return read.status.code;
  const { resource, ...named } = read.path;
  return [resource.plural, named];
}

function optionsOf(query: string, plural: "jobs" | "pods" | "events" = "jobs") {
  return readListOptions(new URLSearchParams(query), plural);
}

describe("the path of a Kubernetes request", () => {
  it.each<[string, unknown]>([
    ["/apis/batch/v1/jobs", ["jobs", {}]],
    ["/apis/batch/v1/namespaces/a/jobs", ["jobs", { namespace: "a" }]],
    ["/apis/batch/v1/namespaces/a/jobs/b", ["jobs", { namespace: "a", name: "b" }]],
    ["/apis/batch/v1/namespaces/a/jobs/b/status", ["jobs", { namespace: "a", name: "b" }]],
    ["/api/v1/pods", ["pods", {}]],
    ["/api/v1/namespaces", ["namespaces", {}]],
    ["/api/v1/namespaces/a", ["namespaces", { name: "a" }]],
    ["/api/v1/namespaces/a/events/b%2Ec", ["events", { namespace: "a", name: "b.c" }]],
    ["/api/v1/namespaces/%E0/pods", ["pods", { namespace: "%E0" }]],
  ])("%s names %j", (path, named) => {
    expect(pathOf(path)).toEqual(named);
  });

  it.each([
    ["another group", "/apis/apps/v1/deployments"],
    ["another version", "/apis/batch/v1beta1/cronjobs"],
    ["a kind of another group", "/api/v1/jobs"],
    ["one object of all namespaces", "/api/v1/pods/a"],
    ["a namespace in a namespace", "/api/v1/namespaces/a/namespaces/b"],
    ["another subresource", "/apis/batch/v1/namespaces/a/jobs/b/scale"],
  ])("is not found for %s", (_, path) => {
    expect(pathOf(path)).toBe(404);
  });
});

describe("the options of a list", () => {
  it.each([
    ["", 500, true],
    ["limit=0", 500, true],
    ["limit=", 500, true],
    ["limit=1", 1, false],
    ["limit=500", 500, false],
    ["limit=501", 500, false],
  ])("%j mean pages of %i, and a whole list: %s", (query, limit, whole) => {
    expect(optionsOf(query)).toMatchObject({ outcome: "read", options: { limit, whole } });
  });

  it.each([
    ["watch=true&allowWatchBookmarks=1&sendInitialEvents=", { watch: true, bookmarks: true, initialEvents: true }],
    ["watch=false&allowWatchBookmarks=0", { watch: false, bookmarks: false, initialEvents: false }],
    ["continue=&resourceVersion=", { continueToken: undefined, resourceVersion: undefined }],
    ["continue=a&resourceVersion=5&timeoutSeconds=7", { continueToken: "a", resourceVersion: "5", timeoutSeconds: 7 }],
    ["timeoutSeconds=0", { timeoutSeconds: undefined }],
  ])("%j are read as %j", (query, options) => {
    expect(optionsOf(query)).toMatchObject({ outcome: "read", options });
  });

  it("have the field selector of Jobs for Jobs only, and the fields that are compared with = for both", () => {
    const query = "fieldSelector=metadata.name%3Da,metadata.namespace!%3Db";
    const pairs = new Map([["metadata.name", "a"]]);
    expect(optionsOf(query, "jobs")).toMatchObject({ options: { fields: [{ value: "a" }, {}], others: [], pairs } });
    expect(optionsOf(query, "pods")).toMatchObject({ options: { fields: [], others: [{ value: "a" }, {}], pairs } });
  });

  it.each([
    ["jobs", "labelSelector=a%20in%20(b", "labelSelector: "],
    ["jobs", "fieldSelector=spec.x%3D1", "fieldSelector: "],
    ["pods", "fieldSelector=status.podIP%3D1", "fieldSelector: "],
    ["events", "limit=-1", 'limit: "-1" is not a non-negative integer.'],
    ["jobs", "timeoutSeconds=soon", 'timeoutSeconds: "soon" is not a non-negative integer.'],
  ] as const)("of %s with %s are refused, and the message names the option", (plural, query, message) => {
    expect(optionsOf(query, plural)).toMatchObject({
      outcome: "refused",
      status: { code: 400, message: expect.stringContaining(message) as string },
    });
  });
});
