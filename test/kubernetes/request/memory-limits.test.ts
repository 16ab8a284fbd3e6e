import { describe, expect, it } from "vitest";
import { memoryLimitsOf } from "../../../src/kubernetes/request/memory-limits.ts";

const limits = (memory: unknown) => ({ resources: { limits: { memory } } });
const work = { name: "work" };
const other = { name: "other", ...limits("1Gi") };

describe("the memory limits of a container", () => {
  it.each<[string, object, object, object]>([
    ["its own", { containers: [{ ...work, ...limits("32Mi") }, other] }, {}, { memoryLimit: "32Mi" }],
    [
      "not that of its Pod, if it is the only one and has its own",
      { containers: [{ ...work, ...limits("32Mi") }], ...limits("64Mi") },
      {},
      { memoryLimit: "32Mi" },
    ],
    ["that of its Pod, if it has none", { containers: [work], ...limits("64Mi") }, {}, { podMemoryLimit: "64Mi" }],
    [
      "both, if it shares its Pod",
      { containers: [{ ...work, ...limits("32Mi") }, other], ...limits("64Mi") },
      {},
      { memoryLimit: "32Mi", podMemoryLimit: "64Mi" },
    ],
    [
      "both, if it shares its Pod with a sidecar",
      { containers: [{ ...work, ...limits("32Mi") }], initContainers: [{ name: "proxy" }], ...limits("64Mi") },
      {},
      { memoryLimit: "32Mi", podMemoryLimit: "64Mi" },
    ],
    [
      "those in effect during a resize",
      { containers: [{ ...work, ...limits("512Gi") }, other], ...limits("1Ti") },
      { containerStatuses: [{ ...work, ...limits("32Mi") }], ...limits("64Mi") },
      { memoryLimit: "32Mi", podMemoryLimit: "64Mi" },
    ],
    ["none that is no quantity", { containers: [{ ...work, ...limits("much") }], ...limits({}) }, {}, {}],
    ["none of another container", { containers: [work, other] }, {}, {}],
  ])("are %s", (_, spec, status, expected) => {
    expect(memoryLimitsOf({ spec: { ...spec }, status: { ...status } }, "work")).toEqual(expected);
  });
});
