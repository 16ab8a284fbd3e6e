import { describe, expect, it } from "vitest";
import { itemKindOf, lacksKind, withKind } from "../../../src/kubernetes/json/listed-item.ts";

describe("the kind of a list's items", () => {
  it.each([
    [
      { kind: "PodList", apiVersion: "v1" },
      { kind: "Pod", apiVersion: "v1" },
    ],
    [{ kind: "JobList" }, { kind: "Job", apiVersion: undefined }],
    [{ kind: "List", apiVersion: "v1" }, undefined],
    [{ kind: "Pod" }, undefined],
    [{}, undefined],
  ])("of %j is %j", (list, expected) => {
    expect(itemKindOf(list)).toEqual(expected);
  });
});

describe("an item of a list", () => {
  const podKind = { kind: "Pod", apiVersion: "v1" };

  it("receives the kind and API version of its list", () => {
    expect(withKind({ metadata: {} }, podKind)).toEqual({ metadata: {}, kind: "Pod", apiVersion: "v1" });
  });

  it.each([[{ kind: "Job" }], [{ type: "ADDED", object: {} }], ["text"], [null]])("stays as it is: %j", (item) => {
    expect(withKind(item, podKind)).toBe(item);
    expect(lacksKind(item)).toBe(false);
  });

  it("stays without a kind in a list without one", () => {
    const item = { metadata: {} };
    expect(withKind(item, undefined)).toBe(item);
    expect(lacksKind(item)).toBe(true);
  });
});
