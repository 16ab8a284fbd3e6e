import { describe, expect, it } from "vitest";
import { hashOfResources } from "../../../src/kubernetes/request/template-resources.ts";

type Fields = Readonly<Record<string, unknown>>;

const using = (requests: Fields, limits: Fields = {}): Fields => ({ resources: { requests, limits } });
const sidecar = (requests: Fields): Fields => ({ restartPolicy: "Always", ...using(requests) });
const hashOf = (...containers: readonly Fields[]) => hashOfResources({ containers });

const usual = hashOf(using({ cpu: "1", memory: "1Gi" }));

describe("the hash of the resources of a Pod template", () => {
  it("has three characters", () => {
    expect(usual).toMatch(/^[\w-]{3}$/);
  });

  it.each<[string, Fields]>([
    ["has no containers", {}],
    ["names no amounts", { containers: [{ name: "main" }, using({}, {})] }],
    ["names amounts of 0", { containers: [using({ cpu: "0" }, { memory: 0 })] }],
    ["names what is no quantity", { containers: [using({ cpu: "much" })] }],
  ])("is absent if it %s", (_, podSpec) => {
    expect(hashOfResources(podSpec)).toBeUndefined();
  });

  it.each<[string, string | undefined]>([
    ["the amounts are written in another way", hashOf(using({ memory: "1024Mi", cpu: "1000m" }))],
    ["the amounts are numbers", hashOf(using({ cpu: 1, memory: 1_073_741_824 }))],
    ["there are containers without resources", hashOf({ name: "log" }, using({ cpu: "1", memory: "1Gi" }))],
    ["the image, name and command differ", hashOf({ name: "x", image: "y", ...using({ cpu: "1", memory: "1Gi" }) })],
  ])("is the same if %s", (_, hash) => {
    expect(hash).toBe(usual);
  });

  it("is that of equal requests if only limits are named", () => {
    expect(hashOf(using({}, { cpu: "2" }))).toBe(hashOf(using({ cpu: "2" }, { cpu: "2" })));
  });

  it("is the same for containers in another order, and not for init containers", () => {
    const [small, large] = [using({ cpu: "1" }), using({ cpu: "2" })];
    expect(hashOf(small, large)).toBe(hashOf(large, small));
    const starting = [sidecar({ cpu: "1" }), large];
    const reversed = hashOfResources({ initContainers: starting.toReversed() });
    expect(hashOfResources({ initContainers: starting })).not.toBe(reversed);
  });

  it("differs wherever resources differ", () => {
    const containers = [using({ cpu: "1" })];
    const hashes = [
      hashOfResources({ containers }),
      hashOf(using({ cpu: "2" })),
      hashOf(using({ memory: "1" })),
      hashOf(using({ cpu: "1" }, { cpu: "2" })),
      hashOf(using({ cpu: "1" }), using({ cpu: "1" })),
      hashOfResources({ initContainers: containers }),
      hashOfResources({ initContainers: [sidecar({ cpu: "1" })] }),
      hashOfResources({ containers, initContainers: containers }),
      hashOfResources({ containers, ...using({ cpu: "2" }) }),
      hashOfResources(using({ cpu: "1" })),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
