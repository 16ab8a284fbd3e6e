import { describe, expect, it } from "vitest";
import { running, second, terminated } from "../../support/story/pod-status.ts";
import { added, podObject, toldOf } from "../../support/kubernetes/watch-objects.ts";

const restartedStatus = (state: object, restartCount: number) => ({
  phase: "Running",
  containerStatuses: [{ name: "work", state, lastState: terminated(137, "08:24:45", "08:24:46"), restartCount }],
});
const endOf = (state: object, options = {}) =>
  toldOf(
    "ContainerEnded",
    added(
      podObject({
        status: {
          phase: "Failed",
          containerStatuses: [{ name: "work", state: { terminated: state }, restartCount: 0 }],
        },
      }),
    ),
    options,
  )[0];

const limits = (memory: unknown) => ({ resources: { limits: { memory } } });
const outOfMemory = (spec: Readonly<Record<string, unknown>>) =>
  toldOf(
    "ContainerEnded",
    added(
      podObject({
        spec,
        status: {
          phase: "Failed",
          containerStatuses: [
            { name: "work", state: { terminated: { exitCode: 137, reason: "OOMKilled" } }, restartCount: 0 },
          ],
        },
      }),
    ),
  )[0]?.memoryLimit;

describe("a container that ran out of memory", () => {
  const [work, other] = [{ name: "work" }, { name: "other", ...limits("1Gi") }];
  it.each<[string, Readonly<Record<string, unknown>>, string | undefined]>([
    ["has its own limit", { containers: [{ ...work, ...limits("32Mi") }], ...limits("64Mi") }, "32Mi"],
    ["has no limit of its own, if only its Pod has one", { containers: [work, other], ...limits("64Mi") }, undefined],
    ["has none of another container", { containers: [work, other] }, undefined],
    ["has none that is no quantity", { containers: [work], ...limits("much") }, undefined],
  ])("%s", (_, spec, limit) => {
    expect(outOfMemory(spec)).toBe(limit);
  });
});

describe("a Pod whose container was restarted in place", () => {
  const waiting = { waiting: { reason: "CrashLoopBackOff", message: "back-off restarting failed container" } };

  it("has one end for the run before, numbered from 0", () => {
    expect(toldOf("ContainerEnded", added(podObject({ status: restartedStatus(waiting, 1) })))).toEqual([
      {
        container: "work",
        restartCount: 0,
        exitCode: 137,
        reason: "Error",
        startedAt: second("08:24:45"),
        finishedAt: second("08:24:46"),
      },
    ]);
  });

  it("has a second end once the next run is over", () => {
    const ends = toldOf(
      "ContainerEnded",
      added(podObject({ status: restartedStatus(terminated(0, "08:24:56", "08:24:58"), 3) })),
    );
    expect(ends.map(({ restartCount, exitCode }) => [restartCount, exitCode])).toEqual([
      [2, 137],
      [3, 0],
    ]);
  });

  it("counts restarts of init containers too, and has the waiting reason", () => {
    const status = {
      ...restartedStatus(waiting, 1),
      initContainerStatuses: [running("proxy", "08:24:45", { restartCount: 2 })],
    };
    expect(toldOf("PodObserved", added(podObject({ status })))[0]).toMatchObject({
      restarts: 3,
      waiting: { container: "work", reason: "CrashLoopBackOff" },
      running: ["proxy"],
    });
  });

  it("marks the end of an init container as such", () => {
    const status = {
      phase: "Pending",
      initContainerStatuses: [{ name: "prepare", state: terminated(0, "08:24:45", "08:24:46"), restartCount: 0 }],
    };
    expect(toldOf("ContainerEnded", added(podObject({ status })))[0]).toMatchObject({
      container: "prepare",
      init: true,
    });
  });

  it("waits for nothing worth telling while its container is being created", () => {
    const status = {
      phase: "Pending",
      containerStatuses: [{ name: "work", state: { waiting: { reason: "ContainerCreating" } }, restartCount: 0 }],
    };
    expect(toldOf("PodObserved", added(podObject({ status })))).toEqual([
      { phase: "Pending", ready: false, restarts: 0 },
    ]);
  });
});

describe("the end of a container", () => {
  it("has no start where the runtime wrote the beginning of time", () => {
    const end = endOf({
      exitCode: 128,
      reason: "StartError",
      startedAt: "1970-01-01T00:00:00Z",
      finishedAt: "2026-11-21T08:24:46Z",
    });
    expect(end).toEqual({
      container: "work",
      restartCount: 0,
      exitCode: 128,
      reason: "StartError",
      finishedAt: second("08:24:46"),
    });
  });

  it("keeps its message in the cluster unless the option includes it", () => {
    const state = { exitCode: 1, message: "password=hunter2" };
    expect(endOf(state)).toEqual({ container: "work", restartCount: 0, exitCode: 1 });
    expect(endOf(state, { containerMessages: true })).toMatchObject({ message: "password=hunter2" });
  });

  it("is exit code 0 where a client left the zero out, and no end at all where the code is no number", () => {
    expect(endOf({ reason: "Completed" })).toMatchObject({ exitCode: 0 });
    expect(endOf({ exitCode: "1" })).toBeUndefined();
  });
});

const gpus = (...resources: readonly object[]) => ({
  allocatedResourcesStatus: [{ name: "nvidia.com/gpu", resources }],
});
const ill = (resourceID: string) => ({ resourceID, health: "Unhealthy" });

function unhealthy(...ids: readonly string[]) {
  const containerStatuses = [{ name: "work", state: { running: {} }, ...gpus(...ids.map(ill)) }];
  return toldOf("PodObserved", added(podObject({ status: { phase: "Running", containerStatuses } })))[0]?.unhealthy;
}

describe("the health of devices", () => {
  it.each<[string, object, readonly object[]]>([
    ["Unhealthy", gpus(ill("GPU-1")), [{ resource: "nvidia.com/gpu", device: "GPU-1" }]],
    ["Healthy", gpus({ resourceID: "GPU-1", health: "Healthy" }), []],
    ["Unknown, which does not count", gpus({ resourceID: "GPU-1", health: "Unknown" }), []],
    ["absent", {}, []],
    [
      "Unhealthy for a claim",
      { allocatedResourcesStatus: [{ name: "claim:gpus/worker", resources: [ill("gpu.example.com/node-a/gpu-0")] }] },
      [{ resource: "claim:gpus/worker", device: "gpu.example.com/node-a/gpu-0" }],
    ],
    ["that of something without a valid id", gpus(ill("password = hunter2")), []],
    [
      "that of something without a valid name",
      { allocatedResourcesStatus: [{ name: "a b", resources: [ill("1")] }] },
      [],
    ],
  ])("is %s", (_, status, expected) => {
    const containerStatuses = [{ name: "work", state: { running: {} }, ...status }];
    const [told] = toldOf("PodObserved", added(podObject({ status: { phase: "Running", containerStatuses } })));
    expect(told?.unhealthy ?? []).toEqual(expected.map((device) => ({ container: "work", ...device })));
  });

  it("is the same in whatever order the kubelet lists the devices", () => {
    expect(unhealthy("GPU-2", "GPU-1")).toEqual(unhealthy("GPU-1", "GPU-2"));
    expect(unhealthy("GPU-2", "GPU-1")).toEqual(
      ["GPU-1", "GPU-2"].map((device) => ({ container: "work", resource: "nvidia.com/gpu", device })),
    );
  });

  it("is kept of a Pod that has ended", () => {
    const terminated = { exitCode: 1, reason: "Error" };
    const containerStatuses = [{ name: "work", state: { terminated }, ...gpus(ill("GPU-1")) }];
    const [told] = toldOf("PodTerminated", added(podObject({ status: { phase: "Failed", containerStatuses } })));
    expect(told?.unhealthy).toEqual([{ container: "work", resource: "nvidia.com/gpu", device: "GPU-1" }]);
  });
});
