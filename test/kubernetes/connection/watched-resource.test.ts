import { describe, expect, it } from "vitest";
import { isCustom, kindOf, RESOURCE_KINDS } from "../../../src/kubernetes/connection/watched-resource.ts";

describe("a watched resource", () => {
  it.each([
    ["jobs", "Job", "batch", ["batch/v1"], true],
    ["pods", "Pod", "", ["v1"], true],
    // Kubernetes 1.20 has no batch/v1 of CronJobs.
    ["cronjobs", "CronJob", "batch", ["batch/v1", "batch/v1beta1"], true],
    ["nodes", "Node", "", ["v1"], false],
    ["namespaces", "Namespace", "", ["v1"], false],
    ["events", "Event", "", ["v1"], true],
  ] as const)("is known as the API serves it: %s", (resource, kind, apiGroup, apiVersions, isNamespaced) => {
    const expected = { resource, plural: resource, kind, apiGroup, apiVersions, isNamespaced, isCustom: false };
    expect(kindOf(resource)).toMatchObject(expected);
    expect(isCustom(resource)).toBe(false);
  });

  it("may be a custom one, whose name has the group", () => {
    expect(kindOf("workloads.kueue.x-k8s.io")).toEqual({
      resource: "workloads.kueue.x-k8s.io",
      plural: "workloads",
      kind: "Workload",
      apiGroup: "kueue.x-k8s.io",
      apiVersions: ["kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"],
      isNamespaced: true,
      isCustom: true,
      isOptional: true,
      isMetadataOnly: false,
    });
    expect(isCustom("workloads.kueue.x-k8s.io")).toBe(true);
  });

  it("is optional if it is a custom one, or has nothing that answers about Jobs need: namespaces", () => {
    const optional = RESOURCE_KINDS.filter(({ isOptional, isCustom: isOfOthers }) => isOptional && !isOfOthers);
    expect(optional.map(({ resource, isMetadataOnly }) => [resource, isMetadataOnly])).toEqual([["namespaces", true]]);
    expect(RESOURCE_KINDS.filter((kind) => kind.isCustom && !kind.isOptional)).toEqual([]);
  });

  it("is served in versions of its own group", () => {
    for (const { apiGroup, apiVersions } of RESOURCE_KINDS.filter((kind) => kind.isCustom)) {
      expect(apiVersions.filter((version) => !version.startsWith(`${apiGroup}/`))).toEqual([]);
    }
  });

  it("has a stream of its own", () => {
    expect(RESOURCE_KINDS.map(({ resource }) => resource)).toEqual([
      "jobs",
      "pods",
      "cronjobs",
      "nodes",
      "namespaces",
      "events",
      "jobsets.jobset.x-k8s.io",
      "trainjobs.trainer.kubeflow.org",
      "rayjobs.ray.io",
      "workflows.argoproj.io",
      "workloads.kueue.x-k8s.io",
      "evictionrequests.lifecycle.k8s.io",
      "evictions.lifecycle.k8s.io",
    ]);
  });

  it("is unknown by another name", () => {
    expect(() => kindOf("rollouts.argoproj.io")).toThrow("Resource rollouts.argoproj.io is not watched.");
  });
});
