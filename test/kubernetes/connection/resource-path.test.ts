import { describe, expect, it } from "vitest";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import {
  listPath,
  probePath,
  type ResourceLocation,
  streamingListPath,
  watchPath,
} from "../../../src/kubernetes/connection/resource-path.ts";
import { kindOf } from "../../../src/kubernetes/connection/watched-resource.ts";

const jobs: ResourceLocation = { kind: kindOf("jobs"), apiVersion: "batch/v1" };
const pods: ResourceLocation = { kind: kindOf("pods"), apiVersion: "v1", namespace: "team a" };
const version = decodeResourceVersion("12");
if (version === undefined) throw new Error("12 is a resourceVersion.");
const nodes: ResourceLocation = { kind: kindOf("nodes"), apiVersion: "v1", namespace: "team a" };
const namespaces: ResourceLocation = { kind: kindOf("namespaces"), apiVersion: "v1" };
const oneNamespace: ResourceLocation = { ...namespaces, namespace: "team-a" };

describe("the path of a request", () => {
  it.each([
    ["a group", probePath(jobs), "/apis/batch/v1/jobs?limit=1"],
    ["the core group in one namespace", probePath(pods), "/api/v1/namespaces/team%20a/pods?limit=1"],
    ["a cluster-scoped resource, without the namespace", probePath(nodes), "/api/v1/nodes?limit=1"],
    ["namespaces", probePath(namespaces), "/api/v1/namespaces?limit=1"],
    ["one namespace", probePath(oneNamespace), "/api/v1/namespaces?fieldSelector=metadata.name%3Dteam-a&limit=1"],
    ["the first page of a list", listPath(jobs, { isWhole: false, token: undefined }), "/apis/batch/v1/jobs?limit=500"],
    [
      "a further page of a list",
      listPath(jobs, { isWhole: false, token: "a/b=" }),
      "/apis/batch/v1/jobs?limit=500&continue=a%2Fb%3D",
    ],
    ["a whole list", listPath(jobs, { isWhole: true, token: undefined }), "/apis/batch/v1/jobs"],
    [
      "a watch",
      watchPath(jobs, version, 300),
      "/apis/batch/v1/jobs?watch=1&allowWatchBookmarks=true&resourceVersion=12&timeoutSeconds=300",
    ],
    [
      "a streaming list",
      streamingListPath(jobs, 300),
      "/apis/batch/v1/jobs?watch=1&allowWatchBookmarks=true&sendInitialEvents=true" +
        "&resourceVersionMatch=NotOlderThan&timeoutSeconds=300",
    ],
  ])("names %s", (_, path, expected) => {
    expect(path).toBe(expected);
  });
});
