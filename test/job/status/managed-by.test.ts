import { describe, expect, it } from "vitest";
import { isLeftAlone } from "../../../src/job/status/managed-by.ts";

describe("a Job that the built-in controller leaves alone", () => {
  it.each([
    ["has no manager", {}, false],
    ["names the controller itself", { managedBy: "kubernetes.io/job-controller" }, false],
    ["names another manager", { managedBy: "kueue.x-k8s.io/multikueue" }, true],
    ["names an empty manager", { managedBy: "" }, true],
  ])("is decided by its manager: it %s", (_, spec, expected) => {
    expect(isLeftAlone({ completionMode: "NonIndexed", ...spec })).toBe(expected);
  });

  it.each([
    ["NonIndexed", false],
    ["Indexed", false],
    ["Elastic", true],
  ])("is decided by its completion mode %s", (completionMode, expected) => {
    expect(isLeftAlone({ completionMode })).toBe(expected);
  });
});
