import { describe, expect, it } from "vitest";
import { kindOf, RESOURCE_KINDS } from "../../../src/kubernetes/connection/watched-resource.ts";

describe("a watched resource", () => {
  it.each([
    ["jobs", "Job", "batch", ["batch/v1"], true],
    ["pods", "Pod", "", ["v1"], true],
    // Kubernetes 1.20 has no batch/v1 of CronJobs.
    ["cronjobs", "CronJob", "batch", ["batch/v1", "batch/v1beta1"], true],
    ["nodes", "Node", "", ["v1"], false],
    ["events", "Event", "", ["v1"], true],
  ] as const)("is known as the API serves it: %s", (resource, kind, apiGroup, apiVersions, isNamespaced) => {
    expect(kindOf(resource)).toEqual({ resource, kind, apiGroup, apiVersions, isNamespaced });
  });

  it("has a stream of its own", () => {
    expect(RESOURCE_KINDS.map(({ resource }) => resource)).toEqual(["jobs", "pods", "cronjobs", "nodes", "events"]);
  });
});
