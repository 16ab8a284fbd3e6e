import { describe, expect, it } from "vitest";
import { effectiveRequest } from "../../../src/kubernetes/request/effective-request.ts";

type Fields = Readonly<Record<string, unknown>>;

const requests = (of: Fields, limits: Fields = {}): Fields => ({ resources: { requests: of, limits } });

function requestOf(spec: Fields, status: Fields = {}, conditions: readonly Fields[] = []): Fields {
  const raw = conditions.map(({ type = "", ...rest }) => ({ type, status: "True", ...rest }));
  return effectiveRequest({ spec, status, conditions: raw as never });
}

describe("the effective request", () => {
  it("is the sum of the containers", () => {
    const containers = [requests({ cpu: "250m", memory: "1Gi" }), requests({ cpu: 1 })];
    expect(requestOf({ containers })).toEqual({ cpu: "1250m", memory: "1073741824" });
  });

  it("is the limit of a container that names no request", () => {
    expect(requestOf({ containers: [requests({ cpu: "1" }, { cpu: "2", "nvidia.com/gpu": "4" })] })).toEqual({
      cpu: "1",
      "nvidia.com/gpu": "4",
    });
  });

  it("has the sidecars before an init container, and not those after it (KEP-753)", () => {
    const sidecar = { restartPolicy: "Always", ...requests({ cpu: "200m" }) };
    const init = requests({ cpu: "1" });
    const containers = [requests({ cpu: "500m" })];
    expect(requestOf({ initContainers: [sidecar, init], containers })).toEqual({ cpu: "1200m" });
    expect(requestOf({ initContainers: [init, sidecar], containers })).toEqual({ cpu: "1" });
  });

  it("is what the Pod itself requests, of the resources that it names (KEP-2837), and the overhead", () => {
    const containers = [requests({ cpu: "500m", memory: "1Gi", "nvidia.com/gpu": "1" })];
    const resources = { requests: { cpu: "2", "nvidia.com/gpu": "9" }, limits: { memory: "4Gi" } };
    expect(requestOf({ containers, resources, overhead: { cpu: "250m" } })).toEqual({
      cpu: "2250m",
      memory: "1073741824",
      "nvidia.com/gpu": "1",
    });
  });

  it("is the larger one of what is desired, allocated and in effect (KEP-1287)", () => {
    const containers = [{ name: "work", ...requests({ cpu: "1" }) }];
    const report = { name: "work", allocatedResources: { cpu: "3" }, resources: { requests: { cpu: "2" } } };
    expect(requestOf({ containers }, { containerStatuses: [report] })).toEqual({ cpu: "3" });
  });

  it("is what was granted before, while the node can never grant what is desired", () => {
    const containers = [{ name: "work", ...requests({ cpu: "100" }) }];
    const status = { containerStatuses: [{ name: "work", allocatedResources: { cpu: "1" } }] };
    const pending = { type: "PodResizePending", reason: "Infeasible" };
    expect(requestOf({ containers }, status, [pending])).toEqual({ cpu: "1" });
    expect(requestOf({ containers }, status, [{ ...pending, reason: "Deferred" }])).toEqual({ cpu: "100" });
  });

  it("takes the overhead out of what the status of a Pod reports", () => {
    const spec = { containers: [], resources: { requests: { cpu: "1" } }, overhead: { cpu: "250m" } };
    expect(requestOf(spec, { allocatedResources: { cpu: "2250m" } })).toEqual({ cpu: "2250m" });
  });

  it("leaves out what is nothing, no quantity or no resource", () => {
    const of = { cpu: "0", memory: "much", "nvidia.com/gpu": null, "../secret": "1", storage: "1" };
    expect(requestOf({ containers: [requests(of), "broken", { resources: 7 }] })).toEqual({ storage: "1" });
    expect(requestOf({})).toEqual({});
  });

  it("has at most 32 resources", () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`example.com/r${index}`, "1"]));
    expect(Object.keys(requestOf({ containers: [requests(many)] }))).toHaveLength(32);
  });
});
