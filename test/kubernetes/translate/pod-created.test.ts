import { describe, expect, it } from "vitest";
import { added, podObject, toldOf } from "../../support/kubernetes/watch-objects.ts";
import { running } from "../../support/story/pod-status.ts";

const indexOf = (annotation: unknown, labels = {}) =>
  toldOf(
    "PodCreated",
    added(podObject({ metadata: { labels, annotations: { "batch.kubernetes.io/job-completion-index": annotation } } })),
  )[0]?.index;

describe("a Pod's completion index", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    ["007", 7],
    ["+3", 3],
    ["-0", 0],
    ["-1", undefined],
    ["", undefined],
    ["3.0", undefined],
    ["0x1", undefined],
    ["99999999999999999999", undefined],
    [4, undefined],
    [null, undefined],
  ])("is read from the annotation %j as %j", (annotation, index) => {
    expect(indexOf(annotation)).toBe(index);
  });

  it("is not read from the label", () => {
    expect(indexOf(undefined, { "batch.kubernetes.io/job-completion-index": "5" })).toBeUndefined();
  });

  it.each([
    ["2", 2],
    ["2147483647", 2147483647],
    ["2147483648", 0],
    ["-4", 0],
    ["many", 0],
    [undefined, undefined],
  ])("has the failure count %j read as %j", (annotation, count) => {
    const annotations = {
      "batch.kubernetes.io/job-index-failure-count": annotation,
      "batch.kubernetes.io/job-index-ignored-failure-count": annotation,
    };
    const [told] = toldOf("PodCreated", added(podObject({ metadata: { annotations } })));
    expect([told?.indexFailureCount, told?.indexIgnoredFailureCount]).toEqual([count, count]);
  });
});

describe("the PodGroup of a Pod", () => {
  it.each([
    [{ schedulingGroup: { podGroupName: "train" } }, "train"],
    [{ schedulingGroup: { podGroupName: "" } }, undefined],
    [{ schedulingGroup: {} }, undefined],
    [{}, undefined],
  ])("is the one that %j names: %s", (spec, podGroup) => {
    expect(toldOf("PodCreated", added(podObject({ spec })))[0]?.podGroup).toBe(podGroup);
  });
});

describe("a container that may run again in a Pod that is never restarted", () => {
  const restartPolicyRules = [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }];
  it.each<[string, object, readonly string[] | undefined]>([
    ["has rules of its own", { containers: [{ name: "work", restartPolicy: "Never", restartPolicyRules }] }, ["work"]],
    ["has a policy of its own", { containers: [{ name: "work", restartPolicy: "OnFailure" }] }, ["work"]],
    ["is an init container with rules", { initContainers: [{ name: "fetch", restartPolicyRules }] }, ["fetch"]],
    ["is no sidecar", { initContainers: [{ name: "proxy", restartPolicy: "Always" }] }, undefined],
    ["is none with policy Never", { containers: [{ name: "work", restartPolicy: "Never" }] }, undefined],
  ])("%s", (_, spec, restartable) => {
    expect(toldOf("PodCreated", added(podObject({ spec: { ...spec } })))[0]?.restartable).toEqual(restartable);
  });
});

describe("the containers of a Pod", () => {
  it("are those of its spec that must end, separate from sidecars", () => {
    const spec = {
      initContainers: [{ name: "prepare" }, { name: "proxy", restartPolicy: "Always" }],
      containers: [{ name: "work" }, { name: "upload" }],
      activeDeadlineSeconds: 30,
    };
    expect(toldOf("PodCreated", added(podObject({ spec })))[0]).toMatchObject({
      containers: ["work", "upload"],
      sidecars: ["proxy"],
      activeDeadlineSeconds: 30,
    });
  });

  it("are taken from its status if a slim Pod has no spec", () => {
    const pod = podObject({ status: { containerStatuses: [running("work", "08:24:45")] } });
    expect(toldOf("PodCreated", added({ ...pod, spec: undefined }))[0]).toMatchObject({ containers: ["work"] });
  });

  it("are truncated to 32, and the fact is marked", () => {
    const containers = Array.from({ length: 40 }, (_, number) => ({ name: `c${number}` }));
    const [told] = toldOf("PodCreated", added(podObject({ spec: { containers } })));
    expect(told?.containers).toHaveLength(32);
    expect(told?.truncated).toBe(true);
  });
});
