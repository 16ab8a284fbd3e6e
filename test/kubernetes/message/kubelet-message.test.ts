import { describe, expect, it } from "vitest";
import { messageDetails } from "../../../src/kubernetes/message/parse-message.ts";

const details = (reason: string, message: string) => messageDetails(reason, message, { names: false });
const DISK = "ephemeral-storage";
const OWN_DISK = { about: "eviction", resource: DISK, ownLimit: true };

/** Most of them were recorded on a real node of Kubernetes 1.36.3. */
describe("a message of the kubelet about a Pod that it ends or refuses", () => {
  it.each<[string, string, object | undefined]>([
    [
      "Killing",
      "Container work failed liveness probe, will be restarted",
      { about: "probe", probe: "liveness", container: "work" },
    ],
    ["Killing", "Stopping container work", undefined],
    ["Unhealthy", "Startup probe failed: password=hunter2", { about: "probe", probe: "startup" }],
    ["FailedPostStartHook", "PostStartHook failed: --token=abc", { about: "probe", probe: "postStart" }],
    [
      "Evicted",
      "The node was low on resource: memory. Threshold quantity: 23Gi, available: 22Gi. Container work was using 1Gi",
      { about: "eviction", resource: "memory" },
    ],
    [
      "Evicted",
      "Pod ephemeral local storage usage exceeds the total limit of containers 1Mi.",
      { about: "eviction", resource: "ephemeral-storage", ownLimit: true },
    ],
    [
      "OutOfcpu",
      "Node didn't have enough resource: cpu, requested: 900, used: 300, capacity: 1000",
      { about: "eviction", resource: "cpu" },
    ],
    ["Evicted", "Pod was rejected: The node had condition: [DiskPressure]. ", { about: "eviction", resource: DISK }],
    ["Evicted", "Pod The node had condition: [PIDPressure]. ", { about: "eviction", resource: "pids" }],
    ["Evicted", 'Usage of EmptyDir volume "scratch" exceeds the limit "10Mi". ', OWN_DISK],
    ["Evicted", 'Container work exceeded its local ephemeral storage limit "10Mi". ', OWN_DISK],
    [
      "UnexpectedAdmissionError",
      "Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. " +
        "Requested: 1, Available: 0, which is unexpected",
      { about: "eviction", resource: "nvidia.com/gpu" },
    ],
  ])("%s: %s", (reason, message, expected) => {
    expect(details(reason, message)).toEqual(expected);
  });
});
